// `nw bench ot`: which problems are timed, and the rows they give.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nw/base/team.hpp"
#include "nw/report/text_table.hpp"

#include "experiments/bench/ot_bench.hpp"
#include "io/json_value.hpp"

namespace nw::experiments {

struct OtSuiteOptions {
  std::vector<std::size_t> sizes{};  ///< points in each cloud; empty: chosen by the kind of suite
  std::vector<std::size_t> dimensions{2, 10, 64};
  std::vector<int> powers{1, 2};
  bool weighted = false;           ///< random weights instead of equal ones
  bool degenerate = false;         ///< clouds with ties, duplicates, extreme scales and shapes
  bool growth = false;             ///< CPU time against n in the plane, mass near and far
  std::size_t peer_limit = 10000;  ///< largest n the peer is asked to solve
  std::uint64_t seed = 0;
  BenchSetup setup{};

  /// Throws InvalidArgument.
  void validate() const;
};

/// What a suite tells while it runs; both may be empty.
struct OtSuiteObserver {
  std::function<void(double fraction, const std::string& what)> progress{};
  std::function<void(const BenchRow&)> row{};
};

/// Times all problems. In a team each process measures its share of them and has all rows in the
/// end.
[[nodiscard]] std::vector<BenchRow> run_ot_suite(const OtSuiteOptions& options, Team* team,
                                                 const OtSuiteObserver& observer);

/// Model of the processor, as the kernel names it.
[[nodiscard]] std::string processor_name();

/// The rows as a table for people.
[[nodiscard]] report::TextTable ot_table();
void add_row(report::TextTable& table, const BenchRow& row);

[[nodiscard]] Json to_json(const BenchRow& row);

}  // namespace nw::experiments
