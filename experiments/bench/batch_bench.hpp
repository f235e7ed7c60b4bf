// `nw bench batch`: many small problems at once against POT's emd2 in a loop.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/report/text_table.hpp"

#include "experiments/bench/ot_bench.hpp"
#include "io/json_value.hpp"

namespace nw::experiments {

struct BatchBenchOptions {
  std::vector<std::size_t> sizes{64};  ///< points a side of each problem
  std::size_t problems = 10000;        ///< of each size
  std::size_t dimension = 8;
  int p = 2;
  std::uint64_t seed = 0;
  BenchSetup setup{};

  /// Throws InvalidArgument.
  void validate() const;
};

/// All problems of one size: normal points against normal points.
struct BatchRow {
  std::size_t problems = 0, n = 0, dimension = 0;
  int p = 2;
  /// Seconds and CPU seconds of all problems together. Ours has the distances in it; the peer's has
  /// emd2 alone, and its cost matrices are timed apart.
  SolveReport ours = {};
  std::optional<SolveReport> peer = {};
  double peer_cost_matrix_seconds = 0.0;
  double largest_gap = 0.0;                       ///< relative to the value
  std::optional<double> largest_difference = {};  ///< between our values and the peer's, relative

  /// How many times fewer CPU seconds we need than emd2.
  [[nodiscard]] std::optional<double> ratio() const;
};

/// Times the problems of one size in this process, and the peer's in one of its own.
[[nodiscard]] BatchRow measure_batch(const BatchBenchOptions& options, std::size_t n);

[[nodiscard]] report::TextTable batch_table();
void add_row(report::TextTable& table, const BatchRow& row);
[[nodiscard]] Json to_json(const BatchRow& row);

}  // namespace nw::experiments
