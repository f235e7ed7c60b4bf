#include "app/adaptation/wider_intervals.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

namespace nw::app {

void widen_to(adapt::ProportionIntervals& intervals, const std::vector<double>& pi) {
  require(pi.size() == intervals.low.size(), "widen_to: ", pi.size(), " proportions for ",
          intervals.low.size(), " intervals");
  for (std::size_t j = 0; j < pi.size(); ++j) {
    intervals.low[j] = std::min(intervals.low[j], pi[j]);
    intervals.high[j] = std::max(intervals.high[j], pi[j]);
  }
}

void widen_by(adapt::ProportionIntervals& intervals, double share) {
  const std::size_t k = intervals.low.size();
  double width = 0.0;
  for (std::size_t j = 0; j < k; ++j) {
    width += (intervals.high[j] - intervals.low[j]) / static_cast<double>(k);
  }
  for (std::size_t j = 0; j < k; ++j) {
    intervals.low[j] = std::max(0.0, intervals.low[j] - share * width);
    intervals.high[j] = std::min(1.0, intervals.high[j] + share * width);
  }
}

}  // namespace nw::app
