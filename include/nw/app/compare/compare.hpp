// Comparison: what changed between two data sets, in the names and units of their columns.
//
//   const auto data = nw::table::read_inputs({.x = "before.csv", .y = "after.csv"});
//   std::cout << nw::app::compare(data).result.sentence;
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nw/base/option_field.hpp"
#include "nw/base/progress.hpp"
#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

struct ComparisonOptions {
  /// What is tested and fitted, and at which levels. The classes of X come from its labels.
  measure::CompareOptions test = {};
  std::uint64_t seed = 0;
  /// Draw the points and couplings for a page; costs three transport problems of 400 rows.
  bool figure = true;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    test.for_each_field(visit);
    visit(kSeedField, seed);
  }
};

struct Comparison {
  /// Centres and shifts of components are in the units of the columns where the data were tables.
  measure::CompareResult result = {};
  std::vector<std::string> class_names = {};  ///< of X, where it has labels; in their order
  /// record.compare holds the figures, and a few words on each component: its class, or the columns
  /// in which it stands out.
  record::RunRecord record = {};
  bool finished = false;  ///< not stopped by the observer
};

/// Compares the two sides of `data`: tables that were encoded, or points as they are, as in
/// compare({.x = before, .y = after}). Labels of X are known classes; those of Y are not used. The
/// observer is called now and then; when it returns false, the comparison stops and is `undecided`.
/// Throws InvalidArgument for options out of range and for data that cannot be compared.
[[nodiscard]] Comparison compare(const table::Inputs& data, const ComparisonOptions& options = {},
                                 const ProgressObserver& observer = {});

}  // namespace nw::app
