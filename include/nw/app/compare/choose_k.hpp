// The number of modes of one data set, or of two together, in the names of their columns.
//
//   const auto data = nw::table::read_inputs({.x = "data.csv"});
//   std::cout << nw::app::choose_k(data).result.k;
#pragma once

#include <cstdint>

#include "nw/base/option_field.hpp"
#include "nw/base/progress.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/record/run_record.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

struct ModeCountOptions {
  measure::ChooseKOptions search = {};  ///< which k are tried, and what each NW(k) is
  std::uint64_t seed = 0;
  bool figure = true;  ///< draw the points and couplings of the k that was chosen, for a page

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    search.for_each_field(visit);
    visit(kSeedField, seed);
  }
};

struct ModeCount {
  measure::ChooseKResult result = {};
  record::RunRecord record = {};  ///< of what was found until then, where the observer stopped it
  bool finished = false;          ///< not stopped by the observer
};

/// k* by Theorem 1 of the paper, of X alone where Y has no rows. The observer is called now and
/// then; when it returns false, the search stops. Throws InvalidArgument for options out of range.
[[nodiscard]] ModeCount choose_k(const table::Inputs& data, const ModeCountOptions& options = {},
                                 const ProgressObserver& observer = {});

}  // namespace nw::app
