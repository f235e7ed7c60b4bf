// Private: intervals of proportions that allow for more than resampled rows do.
#pragma once

#include <vector>

#include "nw/adapt/label_shift.hpp"

namespace nw::app {

/// Stretches every interval to hold what another way of counting says, `pi`.
void widen_to(adapt::ProportionIntervals& intervals, const std::vector<double>& pi);

/// Moves both ends of every interval outwards by `share` of the mean width of all, within [0, 1].
/// Where ways of counting differ for one class, each of the others is as doubtful.
void widen_by(adapt::ProportionIntervals& intervals, double share);

}  // namespace nw::app
