#include "nw/train/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nw/base/error.hpp"

namespace nw::train {

const char* to_string(Decay decay) {
  switch (decay) {
    case Decay::constant:
      return "constant";
    case Decay::linear:
      return "linear";
    case Decay::cosine:
      return "cosine";
  }
  return "unknown";
}

void Schedule::validate() const {
  require(hold >= 0.0 && hold <= 1.0, "Schedule.hold must lie in [0, 1], got ", hold);
  require(last >= 0.0 && last <= 1.0, "Schedule.last must lie in [0, 1], got ", last);
}

double Schedule::factor(std::int64_t step, std::int64_t steps) const {
  if (decay == Decay::constant || steps <= 0) return 1.0;
  const double done = static_cast<double>(step) / static_cast<double>(steps);
  if (done <= hold) return 1.0;
  const double along = std::min(1.0, (done - hold) / std::max(1e-12, 1.0 - hold));
  const double shape =
      decay == Decay::linear ? 1.0 - along : 0.5 * (1.0 + std::cos(std::numbers::pi * along));
  return last + (1.0 - last) * shape;
}

}  // namespace nw::train
