// Private: whether numbers are so moderate that no sum of their squares overflows.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace nw::ot {

/// Squared distances between points of such coordinates stay below 1e300 in up to 1e19 dimensions.
inline constexpr double kModerateCoordinate = 1e140;

/// False where a number is larger, infinite or not a number. Looks at all of them, which vector
/// instructions do faster than stopping at the first.
[[nodiscard]] inline bool all_within(std::span<const double> values, double limit) {
  std::size_t beyond = 0;
  for (const double value : values) beyond += std::fabs(value) <= limit ? 0 : 1;
  return beyond == 0;
}

}  // namespace nw::ot
