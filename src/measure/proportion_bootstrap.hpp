// Private: intervals for proportions.
#pragma once

#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

#include "measure/shared_em.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// What resampled rows say about estimated proportions.
struct ProportionSpread {
  std::vector<Interval> interval;           ///< [k]
  std::vector<std::vector<double>> errors;  ///< [resamplings][k] around their mean; none for k = 1
};

/// Of `pi`, the proportions of sample s, for components as in `model`. `rows` is the number of rows
/// that pi was estimated from.
[[nodiscard]] ProportionSpread proportion_spread(const std::vector<Sample>& samples,
                                                 const SharedModel& model, std::size_t s,
                                                 const std::vector<double>& pi, double rows,
                                                 const EmOptions& em, int resamplings,
                                                 double confidence, int threads, Rng& rng);

}  // namespace nw::measure
