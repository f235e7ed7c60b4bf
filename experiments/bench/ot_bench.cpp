#include "experiments/bench/ot_bench.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/write.hpp"

#include "base/subprocess.hpp"
#include "base/temporary_folder.hpp"
#include "experiments/bench/pot_worker.hpp"

namespace nw::experiments {
namespace {

namespace fs = std::filesystem;

void write_problem(const CloudPair& clouds, const fs::path& folder) {
  io::write_npy(folder / "x.npy", clouds.x.view());
  io::write_npy(folder / "y.npy", clouds.y.view());
  if (!clouds.weighted()) return;
  io::write_npy(folder / "a.npy", std::span<const double>(clouds.x_weights));
  io::write_npy(folder / "b.npy", std::span<const double>(clouds.y_weights));
}

nlohmann::json run_worker(const std::vector<std::string>& command) {
  const ProcessResult done = run_process(command);
  if (done.exit_code != 0)
    throw IoError(concat(command.front(), ": ended with code ", done.exit_code));
  return nlohmann::json::parse(done.output);
}

SolveReport solve_report(const nlohmann::json& report) {
  const auto best = [&](const char* field) {
    const auto seconds = report.at(field).get<std::vector<double>>();
    return *std::min_element(seconds.begin(), seconds.end());
  };
  return {.seconds = best("seconds"),
          .cpu_seconds = best("cpu_seconds"),
          .memory_mb = report.at("memory_mb"),
          .value = report.at("value")};
}

}  // namespace

std::optional<double> BenchRow::ratio() const {
  if (!peer) return {};
  return peer->seconds / ours.seconds;
}

std::optional<double> BenchRow::difference() const {
  if (!peer) return {};
  const double scale = std::max(std::abs(ours.value), std::abs(peer->value));
  return scale == 0.0 ? 0.0 : std::abs(ours.value - peer->value) / scale;
}

std::optional<std::string> why_no_peer(const BenchSetup& setup) {
  try {
    if (run_process({setup.python, "-c", "import ot"}).exit_code == 0) return {};
    return setup.python + " cannot import POT (Debian: python3-pot)";
  } catch (const IoError& error) {
    return error.what();
  }
}

BenchRow measure(const CloudPair& clouds, int p, const BenchSetup& setup) {
  const TemporaryFolder folder;
  write_problem(clouds, folder.path());
  const std::string problem = folder.path().string();
  const std::string power = std::to_string(p), repeat = std::to_string(setup.repeat);
  const auto report =
      run_worker({fs::read_symlink("/proc/self/exe").string(), "bench", "ot-worker", problem, "--p",
                  power, "--repeat", repeat, "--threads", std::to_string(setup.threads)});
  BenchRow row{.name = clouds.name,
               .n = clouds.x.rows(),
               .m = clouds.y.rows(),
               .dimension = clouds.x.cols(),
               .p = p,
               .weighted = clouds.weighted(),
               .ours = solve_report(report),
               .pivots = report.at("pivots"),
               .converged = report.at("converged")};
  const double gap = report.at("gap");
  row.gap = row.ours.value == 0.0 ? gap : gap / row.ours.value;
  if (setup.peer) {
    const fs::path script = folder.path() / "pot_worker.py";
    io::write_file_atomically(script, kPotWorker);
    const auto peer = run_worker({setup.python, script.string(), problem, power, repeat});
    row.peer = solve_report(peer);
    row.peer_cost_matrix_seconds = peer.at("cost_matrix_seconds");
  }
  return row;
}

}  // namespace nw::experiments
