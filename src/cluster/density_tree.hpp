// Private: the spanning tree that joins points by the shortest chains through dense places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::cluster {

struct TreeEdge {
  double length;
  std::uint32_t from, to;
};

/// The least spanning tree of the rows under max(|x_i - x_j|, core_i, core_j), the mutual
/// reachability of Campello et al. (2013); an empty `core` means plain distances. n - 1 edges, by
/// length. Prim's algorithm: n^2 / 2 distances, memory O(n).
[[nodiscard]] std::vector<TreeEdge> density_tree(MatrixView rows, std::span<const double> core);

}  // namespace nw::cluster
