#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "nw/base/stopwatch.hpp"
#include "nw/io/points.hpp"
#include "nw/ot/exact.hpp"

#include "experiments/bench/ot_bench.hpp"

namespace nw::experiments {
namespace {

/// A line of /proc/self/status such as VmRSS, in MB (10^6 bytes).
double memory_status_mb(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":"))
      return std::stod(line.substr(field.size() + 1)) * 1024.0 / 1e6;
  }
  return 0.0;
}

/// Lets VmHWM start again from what is resident now; on kernels that refuse, the peak of reading
/// the points counts as ours.
void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

}  // namespace

std::string solve_for_bench(const std::string& folder, const BenchSolve& how) {
  const std::filesystem::path files(folder);
  const io::PointSet x = io::load_points(files / "x.npy"), y = io::load_points(files / "y.npy");
  const bool weighted = std::filesystem::exists(files / "a.npy");
  const Matrix a = weighted ? io::load_points(files / "a.npy").values : Matrix();
  const Matrix b = weighted ? io::load_points(files / "b.npy").values : Matrix();
  const ot::PointProblem problem{
      .source = {.points = x.values, .weights = a.values()},
      .target = {.points = y.values, .weights = b.values()},
      .cost = how.p == 1 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean};

  reset_peak_memory();
  const double before = memory_status_mb("VmRSS");
  nlohmann::json report;
  for (int run = 0; run < std::max(1, how.repeat); ++run) {
    const Stopwatch clock;
    const std::clock_t cpu = std::clock();
    const ot::TransportResult result = ot::solve_exact(problem, {.threads = how.threads});
    report["seconds"].push_back(clock.seconds());
    report["cpu_seconds"].push_back(static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    if (run > 0) continue;
    report["memory_mb"] = std::max(0.0, memory_status_mb("VmHWM") - before);
    report["value"] = result.cost;
    report["gap"] = result.gap();
    report["pivots"] = result.pivots;
    report["converged"] = result.optimal();
  }
  return report.dump();
}

}  // namespace nw::experiments
