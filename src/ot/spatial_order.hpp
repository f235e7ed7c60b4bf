// An order of the points in which neighbours in the list are neighbours in space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nw::ot {

/// Permutation of the rows of `points` ([n, dim], row-major) that lists the leaves of a kd-tree
/// from left to right. Cuts fall on multiples of large powers of two, so that every aligned run of
/// 4, 16, 32, ... rows is a cell of the tree. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> spatial_order(std::span<const double> points,
                                                       std::size_t dim);

}  // namespace nw::ot
