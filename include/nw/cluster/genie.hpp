// Genie: single linkage that keeps the sizes of clusters from growing too unequal.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::cluster {

struct GenieOptions {
  /// Largest Gini index of the sizes before the smallest cluster must be joined to its nearest. In
  /// [0, 1]; 1 is plain single linkage.
  double inequity = 0.3;
  /// Distances are at least those to this neighbour, so that chains of few points join nothing
  /// (HDBSCAN's mutual reachability). 0 and 1: plain distances.
  std::size_t core_neighbour = 0;
  int threads = 0;  ///< 0: every core. The result does not depend on it.

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Two clusters that become one. Points are the clusters 0 ... n - 1, merge t makes cluster n + t:
/// the rows of a linkage matrix of SciPy.
struct Merge {
  std::uint32_t first, second;
  double distance;
  std::uint32_t size;  ///< points of both
  bool operator==(const Merge&) const = default;
};

/// n - 1 merges, in the order in which they happen; distances rise where `inequity` is 1. Time
/// O(n^2), memory O(n).
[[nodiscard]] std::vector<Merge> genie(MatrixView points, const GenieOptions& options);

/// The clusters left after all but the last k - 1 merges, numbered by their first points.
[[nodiscard]] std::vector<std::uint32_t> cut_tree(const std::vector<Merge>& merges, std::size_t k);

}  // namespace nw::cluster
