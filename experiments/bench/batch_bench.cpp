#include "experiments/bench/batch_bench.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/rng.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/points.hpp"
#include "nw/io/write.hpp"
#include "nw/ot/many.hpp"

#include "base/subprocess.hpp"
#include "base/temporary_folder.hpp"
#include "experiments/bench/pot_worker.hpp"

namespace nw::experiments {
namespace {

/// One sample below the other, `n` rows each.
Matrix normal_samples(std::size_t samples, std::size_t n, std::size_t dimension, Rng rng) {
  Matrix points(samples * n, dimension);
  for (double& value : points.values()) value = rng.normal();
  return points;
}

std::vector<ot::PointProblem> problems_of(const Matrix& x, const Matrix& y, std::size_t n, int p) {
  const std::size_t dimension = x.cols();
  const auto sample = [&](const Matrix& points, std::size_t k) {
    return MatrixView(points.values().subspan(k * n * dimension, n * dimension), n, dimension);
  };
  std::vector<ot::PointProblem> problems;
  for (std::size_t k = 0; k < x.rows() / n; ++k) {
    problems.push_back({{sample(x, k), {}},
                        {sample(y, k), {}},
                        p == 1 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean});
  }
  return problems;
}

}  // namespace

void BatchBenchOptions::validate() const {
  for (const std::size_t n : sizes) require(n > 0, "sizes must be positive, got ", n);
  require(problems > 0, "problems must be positive");
  require(dimension > 0 && dimension <= 2048, "dim must lie in [1, 2048], got ", dimension);
  require(p == 1 || p == 2, "p must be 1 or 2, got ", p);
}

std::optional<double> BatchRow::ratio() const {
  if (!peer) return {};
  return peer->cpu_seconds / ours.cpu_seconds;
}

BatchRow measure_batch(const BatchBenchOptions& options, std::size_t n) {
  const Rng rng(options.seed);
  const Matrix x = normal_samples(options.problems, n, options.dimension, rng.split(2 * n));
  const Matrix y = normal_samples(options.problems, n, options.dimension, rng.split(2 * n + 1));
  const auto problems = problems_of(x, y, n, options.p);
  BatchRow row{
      .problems = options.problems, .n = n, .dimension = options.dimension, .p = options.p};

  const Stopwatch clock;
  const std::clock_t cpu = std::clock();
  const auto results = ot::solve_many(problems, {.threads = options.setup.threads});
  row.ours.cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  row.ours.seconds = clock.seconds();
  for (const ot::TransportResult& result : results) {
    row.ours.value += result.cost / static_cast<double>(results.size());
    row.largest_gap = std::max(row.largest_gap, std::fabs(result.gap()) / result.cost);
  }
  if (!options.setup.peer) return row;

  const TemporaryFolder folder;
  const std::string place = folder.path().string();
  io::write_npy(folder.path() / "x.npy", x.view());
  io::write_npy(folder.path() / "y.npy", y.view());
  const std::filesystem::path script = folder.path() / "pot_worker.py";
  io::write_file_atomically(script, kPotWorker);
  const ProcessResult done = run_process({options.setup.python, script.string(), place,
                                          std::to_string(options.p), "1", std::to_string(n)});
  if (done.exit_code != 0) throw IoError(concat("POT: ended with code ", done.exit_code));
  const auto report = nlohmann::json::parse(done.output);
  row.peer = SolveReport{.seconds = report.at("seconds").at(0),
                         .cpu_seconds = report.at("cpu_seconds").at(0),
                         .memory_mb = report.at("memory_mb"),
                         .value = report.at("value")};
  row.peer_cost_matrix_seconds = report.at("cost_matrix_seconds");
  const Matrix values = io::load_points(folder.path() / "values.npy").values;
  row.largest_difference = 0.0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const double theirs = values.values()[k];
    row.largest_difference =
        std::max(*row.largest_difference, std::fabs(results[k].cost - theirs) / theirs);
  }
  return row;
}

report::TextTable batch_table() {
  return report::TextTable({"problems", "n", "d", "cost", "nw CPU s", "POT CPU s", "ratio",
                            "cost matrix s", "nw s", "POT s", "gap", "difference"});
}

void add_row(report::TextTable& table, const BatchRow& row) {
  const auto peer = [&](double value) {
    return row.peer ? significant(value, 3) : std::string("-");
  };
  const SolveReport none;
  const SolveReport& other = row.peer ? *row.peer : none;
  table.add({std::to_string(row.problems), std::to_string(row.n), std::to_string(row.dimension),
             row.p == 1 ? "W1" : "W2^2", significant(row.ours.cpu_seconds, 3),
             peer(other.cpu_seconds), row.peer ? significant(*row.ratio(), 3) : "-",
             peer(row.peer_cost_matrix_seconds), significant(row.ours.seconds, 3),
             peer(other.seconds), significant(row.largest_gap, 2),
             row.largest_difference ? significant(*row.largest_difference, 2) : "-"});
}

Json to_json(const BatchRow& row) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  return Json{{"case", concat("batch-", row.problems, "x", row.n, "-d", row.dimension,
                              row.p == 1 ? "-w1" : "-w2")},
              {"kind", "batch"},
              {"problems", row.problems},
              {"n", row.n},
              {"dim", row.dimension},
              {"p", row.p},
              {"ours_seconds", row.ours.seconds},
              {"ours_cpu_seconds", row.ours.cpu_seconds},
              {"peer_seconds", row.peer ? Json(row.peer->seconds) : Json(nullptr)},
              {"peer_cpu_seconds", row.peer ? Json(row.peer->cpu_seconds) : Json(nullptr)},
              {"peer_cost_matrix_seconds", row.peer ? Json(row.peer_cost_matrix_seconds) : Json()},
              {"ratio", optional(row.ratio())},
              {"largest_relative_gap", row.largest_gap},
              {"largest_relative_difference", optional(row.largest_difference)}};
}

}  // namespace nw::experiments
