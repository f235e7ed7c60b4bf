// Private: intervals for proportions.
#pragma once

#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

#include "measure/shared_em.hpp"
#include "measure/stop_check.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// What resampled rows say about estimated proportions.
struct ProportionSpread {
  std::vector<Interval> interval;           ///< [k]
  std::vector<std::vector<double>> errors;  ///< [resamplings][k] around their mean; none for k = 1
};

/// Proportions `pi` of one sample, for components as in `mixture`.
struct EstimatedProportions {
  const Sample& sample;
  const Mixture& mixture;
  const std::vector<double>& likely;  ///< those by likelihood, where estimates of resamples begin
  const std::vector<double>& pi;
  double rows = 0.0;  ///< that pi was estimated from
};

struct SpreadOptions {
  double ridge = 0.0;  ///< of the components' densities
  int resamplings = 200;
  double confidence = 0.95;
  int threads = 1;
  StopCheck stop = {};
};

[[nodiscard]] ProportionSpread proportion_spread(const EstimatedProportions& estimate,
                                                 const SpreadOptions& options, Rng& rng);

}  // namespace nw::measure
