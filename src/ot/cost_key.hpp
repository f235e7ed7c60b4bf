// Private: keys by which arcs are sorted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace nw::ot {

/// Keys in ascending order are reduced costs in ascending order, in single precision; equal ones go
/// by their number, which is the lower half and below 2^32. Reduced costs are not negative, up to
/// rounding, so their bits order like integers.
[[nodiscard]] inline std::uint64_t cost_key(double reduced_cost, std::uint64_t number) {
  const float value = std::max(static_cast<float>(reduced_cost), 0.0F);
  return static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(value)) << 32 | number;
}

}  // namespace nw::ot
