#include "experiments/bench/ot_suite.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "experiments/bench/row_exchange.hpp"

namespace nw::experiments {
namespace {

/// One problem to be timed, made only when its turn comes.
struct BenchCase {
  std::size_t n;
  int p;
  std::function<CloudPair()> clouds;
};

/// Beyond this W1 is left out of growth: it takes a few minutes there.
constexpr std::size_t kMostForW1 = 500000;

std::vector<std::size_t> sizes_of(const OtSuiteOptions& options) {
  if (!options.sizes.empty()) return options.sizes;
  if (options.growth) {
    return {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};
  }
  if (options.degenerate) return {2000};
  return {2000, 5000};
}

std::vector<BenchCase> cases_of(const OtSuiteOptions& options) {
  std::vector<BenchCase> cases;
  const Rng rng(options.seed);
  for (const std::size_t n : sizes_of(options)) {
    if (options.growth) {
      for (const int p : options.powers) {
        const Rng own = rng.split(n);
        if (p == 1 && n > kMostForW1) continue;
        if (p == 1) cases.push_back({n, p, [n, own] { return near_clouds(n, own); }});
        cases.push_back({n, p, [n, own] { return far_clouds(n, own); }});
      }
      continue;
    }
    if (options.degenerate) {
      const auto clouds = degenerate_clouds(n, rng.split(n));
      for (const CloudPair& pair : clouds) {
        for (const int p : options.powers) cases.push_back({n, p, [pair] { return pair; }});
      }
      continue;
    }
    for (const std::size_t d : options.dimensions) {
      for (const int p : options.powers) {
        const Rng own = rng.split(1000 * n + d);
        const auto make = options.weighted ? weighted_mixture_clouds : mixture_clouds;
        cases.push_back({n, p, [make, n, d, own] { return make(n, d, own); }});
      }
    }
  }
  return cases;
}

}  // namespace

void OtSuiteOptions::validate() const {
  for (const std::size_t n : sizes) require(n > 0, "sizes must be positive, got ", n);
  for (const std::size_t d : dimensions) {
    require(d > 0 && d <= 2048, "dims must lie in [1, 2048], got ", d);
  }
  for (const int p : powers) require(p == 1 || p == 2, "p must be 1 or 2, got ", p);
}

std::vector<BenchRow> run_ot_suite(const OtSuiteOptions& options, Team* team,
                                   const OtSuiteObserver& observer) {
  options.validate();
  const auto cases = cases_of(options);
  std::vector<BenchRow> rows;
  // Each case needs a machine of its own.
  const std::size_t processes = team == nullptr ? 1 : static_cast<std::size_t>(team->size());
  for (std::size_t begin = 0; begin < cases.size(); begin += processes) {
    const std::size_t own = begin + (team == nullptr ? 0 : static_cast<std::size_t>(team->rank()));
    std::optional<BenchRow> mine;
    if (own < cases.size()) {
      const BenchCase& one = cases[own];
      BenchSetup setup = options.setup;
      setup.peer = setup.peer && one.n <= options.peer_limit;
      if (observer.progress) {
        observer.progress(static_cast<double>(begin) / static_cast<double>(cases.size()),
                          concat("n ", one.n, ", p ", one.p));
      }
      mine = measure(one.clouds(), one.p, setup);
    }
    for (BenchRow& row : rows_of_all(team, mine)) {
      rows.push_back(std::move(row));
      if (observer.row) observer.row(rows.back());
    }
  }
  return rows;
}

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(line.find(':') + 2);
    break;
  }
  return model;
}

report::TextTable ot_table() {
  return report::TextTable({"case", "n", "d", "cost", "nw s", "POT s", "ratio", "cost s", "nw MB",
                            "POT MB", "gap", "difference"});
}

void add_row(report::TextTable& table, const BenchRow& row) {
  const auto optional = [](const std::optional<double>& value, int digits) {
    return value ? significant(*value, digits) : std::string("-");
  };
  const auto peer = [&](double value) {
    return row.peer ? significant(value, 3) : std::string("-");
  };
  const SolveReport none;
  const SolveReport& other = row.peer ? *row.peer : none;
  const std::string size =
      row.n == row.m ? std::to_string(row.n) : std::to_string(row.n) + "/" + std::to_string(row.m);
  table.add({row.name, size, std::to_string(row.dimension), row.p == 1 ? "W1" : "W2^2",
             significant(row.ours.seconds, 3), peer(other.seconds), optional(row.ratio(), 3),
             peer(row.peer_cost_matrix_seconds), significant(row.ours.memory_mb, 3),
             peer(other.memory_mb), significant(row.gap, 2), optional(row.difference(), 2)});
}

Json to_json(const BenchRow& row) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json json{{"case", row.name + "-" + std::to_string(row.n) + "-d" + std::to_string(row.dimension) +
                         (row.p == 1 ? "-w1" : "-w2")},
            {"kind", row.name},
            {"n", row.n},
            {"m", row.m},
            {"dim", row.dimension},
            {"p", row.p},
            {"weighted", row.weighted},
            {"ours_seconds", row.ours.seconds},
            {"peer_seconds", row.peer ? Json(row.peer->seconds) : Json(nullptr)},
            {"ours_cpu_seconds", row.ours.cpu_seconds},
            {"peer_cpu_seconds", row.peer ? Json(row.peer->cpu_seconds) : Json(nullptr)},
            {"ratio", optional(row.ratio())},
            {"peer_cost_matrix_seconds", row.peer ? Json(row.peer_cost_matrix_seconds) : Json()},
            {"ours_mb", row.ours.memory_mb},
            {"peer_mb", row.peer ? Json(row.peer->memory_mb) : Json(nullptr)},
            {"relative_gap", row.gap},
            {"relative_difference", optional(row.difference())},
            {"primal", row.ours.value},
            {"peer_primal", row.peer ? Json(row.peer->value) : Json(nullptr)},
            {"pivots", row.pivots},
            {"converged", row.converged}};
  return json;
}

}  // namespace nw::experiments
