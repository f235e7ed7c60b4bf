#include "cli/join_team.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <dlfcn.h>

#include "nw/base/error.hpp"
#include "nw/mpi/team_plugin.hpp"

#include "cli/interrupt.hpp"

namespace nw::cli {
namespace {

/// How many processes a launcher says it started: Open MPI, MPICH and its kin, Slurm's srun.
int announced_processes() {
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  return 1;
}

/// Beside the command, or where `cmake --install` puts modules.
std::filesystem::path module_file() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto beside = here / "nw_mpi.so";
  return std::filesystem::exists(beside) ? beside : here.parent_path() / "lib" / "nw" / "nw_mpi.so";
}

std::unique_ptr<Team> open_team(int processes) {
  const auto file = module_file();
  require(std::filesystem::exists(file), "this job has ", processes,
          " processes, and nw was built without MPI: there is no ", file.string(),
          "; install libopenmpi-dev and build again");
  // Global, because MPI loads parts of its own that look for its symbols.
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  require(module != nullptr, "this job has ", processes,
          " processes, but MPI cannot be loaded: ", module == nullptr ? ::dlerror() : "");
  const auto make = reinterpret_cast<mpi::MakeTeam>(::dlsym(module, mpi::kMakeTeam));
  require(make != nullptr, file.string(), " is not the module of this nw");
  return std::unique_ptr<Team>(make(&InterruptScope::requested));
}

}  // namespace

Team* join_team() {
  static const std::unique_ptr<Team> team = [] {
    const int processes = announced_processes();
    return processes > 1 ? open_team(processes) : nullptr;
  }();
  return team.get();
}

}  // namespace nw::cli
