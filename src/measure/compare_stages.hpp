// Private: the stages of compare() after its tests. Each fills its own fields of the result.
#pragma once

#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

#include "measure/change_tests.hpp"
#include "measure/class_tests.hpp"
#include "measure/nw_search.hpp"
#include "measure/pooled_rows.hpp"
#include "measure/stop_check.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// Everything the stages of one comparison share.
struct CompareContext {
  const CompareOptions& options;
  NwOptions nw;  ///< with the number of components that is used
  const PooledRows& pool;
  const ChangeTests& tests;
  const ClassTests& known;  ///< empty unless the classes of X are known
  const WorkingData& work;
  StopCheck stop;
  Rng rng;  ///< of resamplings that no verdict rests on
  int threads = 1;

  [[nodiscard]] ot::GroundCost cost() const { return fit_options(nw, work.dim()).cost; }
};

/// The rows of the tests, in an order that depends on their content alone.
[[nodiscard]] WorkingData canonical_data(const std::vector<ot::WeightedPoints>& data,
                                         const PooledRows& pool, std::size_t components,
                                         const NwOptions& options, Rng& rng);

/// Where the tests found rows beyond the bound, the scores of rows, and the p-values.
void report_tests(const ot::WeightedPoints& x, const ot::WeightedPoints& y, const PooledRows& pool,
                  const ChangeTests& tests, CompareResult& result);

/// W between the samples and what relabelling makes of it; the shared mixture with its floor.
/// Returns the mixture by likelihood, from which rows get their membership.
[[nodiscard]] SharedModel fit_shared_mixture(CompareContext& context, CompareResult& result);

/// What every component does in both samples: proportions with intervals, presence, and the
/// differences between its members.
void compare_members(CompareContext& context, const SharedModel& model, CompareResult& result);

/// The region that refutes "only the mix changed" at this level. Null where none does: known
/// classes can refute it too.
[[nodiscard]] const RegionChange* deciding_region(const CompareResult& result, double alpha);

/// Fills the weight of every row tested in the evidence for the verdict; `alpha` is that of
/// p_components.
void weigh_rows(CompareResult& result, double alpha);

/// Says how large the change is or could be, after the verdict.
void say_effect(CompareResult& result);

/// Fills verdict, reason, statuses, sentence and notes from the other fields of `result`.
void decide_verdict(CompareResult& result, const CompareOptions& options);

}  // namespace nw::measure
