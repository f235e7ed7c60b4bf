#include "cli/join_team.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <dlfcn.h>

#include "nw/base/error.hpp"
#include "nw/mpi/team_plugin.hpp"

#include "cli/interrupt.hpp"

namespace nw::cli {
namespace {

/// What a launcher says about the job.
struct Job {
  bool announced = false;
  int processes = 1;
  const char* module = "nw_mpi.so";  // that reaches the other processes
  const char* needs = "install nw-mpi, or libopenmpi-dev and build again";
};

Job announced_job() {
  // Open MPI, MPICH and its kin, Slurm's srun.
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* value = std::getenv(name))
      return {.announced = true, .processes = std::atoi(value)};
  }
  // torchrun and its kin.
  const char* size = std::getenv("WORLD_SIZE");
  if (size != nullptr && std::getenv("RANK") != nullptr && std::getenv("MASTER_ADDR") != nullptr &&
      std::getenv("MASTER_PORT") != nullptr) {
    return {.announced = true,
            .processes = std::atoi(size),
            .module = "nw_c10d.so",
            .needs =
                "install nw-torch, or libtorch-dev and libgloo-dev and build again, or "
                "start it by mpirun"};
  }
  return {};
}

/// Beside the command, or where `cmake --install` puts modules.
std::filesystem::path module_file(const char* name) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto beside = here / name;
  return std::filesystem::exists(beside) ? beside : here.parent_path() / "lib" / "nw" / name;
}

std::unique_ptr<Team> open_team(const Job& job) {
  const auto file = module_file(job.module);
  require(std::filesystem::exists(file), "this job has ", job.processes,
          " processes, and nw was built without what they need to reach each other: there is no ",
          file.string(), "; ", job.needs);
  // Global, because MPI loads parts of its own that look for its symbols.
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  require(module != nullptr, "this job has ", job.processes, " processes, but ", file.string(),
          " cannot be loaded: ", module == nullptr ? ::dlerror() : "");
  const auto make = reinterpret_cast<mpi::MakeTeam>(::dlsym(module, mpi::kMakeTeam));
  require(make != nullptr, file.string(), " is not the module of this nw");
  return std::unique_ptr<Team>(make(&InterruptScope::requested));
}

std::unique_ptr<Team> found_team() {
  const Job job = announced_job();
  // A team of one is of use only to try out what a launcher or a module does.
  const bool try_out = std::getenv("NW_TEAM_OF_ONE") != nullptr;
  const bool several = job.processes > 1 || (job.processes == 1 && job.announced && try_out);
  return several ? open_team(job) : nullptr;
}

// What join_team found; nothing before it looked.
std::optional<std::unique_ptr<Team>> joined;

}  // namespace

Team* join_team() {
  if (!joined) joined = found_team();
  return joined->get();
}

void leave_team() {
  if (joined) joined->reset();
}

}  // namespace nw::cli
