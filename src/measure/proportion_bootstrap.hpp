// Private: intervals for proportions.
#pragma once

#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

#include "measure/shared_em.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// Intervals around `pi`, the proportions of sample s, for components as in `model`. `rows` is the
/// number of rows that pi was estimated from.
[[nodiscard]] std::vector<Interval> proportion_intervals(const std::vector<Sample>& samples,
                                                         const SharedModel& model, std::size_t s,
                                                         const std::vector<double>& pi, double rows,
                                                         const EmOptions& em, int resamplings,
                                                         double confidence, int threads, Rng& rng);

}  // namespace nw::measure
