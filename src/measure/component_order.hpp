// Private: the numbers that components get, whatever order a search found them in.
#pragma once

#include <cstddef>
#include <vector>

#include "measure/shared_em.hpp"

namespace nw::measure {

/// Components by falling share of the first sample, then of the second, then by the distance of
/// their centre from the middle of all centres. Figures that rounding could swap count as equal, so
/// the order is that of the data whatever the order or the units of their columns.
[[nodiscard]] std::vector<std::size_t> component_order(const SharedModel& model);

}  // namespace nw::measure
