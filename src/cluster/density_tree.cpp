#include "cluster/density_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace nw::cluster {

std::vector<TreeEdge> density_tree(MatrixView rows, std::span<const double> core) {
  const std::size_t n = rows.rows(), d = rows.cols();
  std::vector<TreeEdge> edges;
  if (n < 2) return edges;
  edges.reserve(n - 1);
  // Points that are not yet in the tree, packed, with their coordinates by column: the inner loop
  // runs over consecutive memory.
  std::vector<std::uint32_t> left(n - 1);
  std::iota(left.begin(), left.end(), std::uint32_t{1});
  std::vector<double> column((n - 1) * d), least(n - 1, std::numeric_limits<double>::infinity()),
      own(n - 1, 0.0), now(n - 1);
  std::vector<std::uint32_t> nearest(n - 1, 0);
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t c = 0; c < d; ++c) column[c * (n - 1) + i - 1] = rows(i, c);
    if (!core.empty()) own[i - 1] = core[i] * core[i];
  }
  std::uint32_t current = 0;
  for (std::size_t count = n - 1; count > 0; --count) {
    const double floor = core.empty() ? 0.0 : core[current] * core[current];
    std::fill_n(now.begin(), count, 0.0);
    for (std::size_t c = 0; c < d; ++c) {
      const double x = rows(current, c);
      const double* from = column.data() + c * (n - 1);
      for (std::size_t i = 0; i < count; ++i) now[i] += (from[i] - x) * (from[i] - x);
    }
    std::size_t best = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double reach = std::max(std::max(now[i], own[i]), floor);
      if (reach < least[i]) {
        least[i] = reach;
        nearest[i] = current;
      }
      if (least[i] < least[best]) best = i;
    }
    current = left[best];
    edges.push_back({std::sqrt(least[best]), nearest[best], current});
    const std::size_t last = count - 1;
    left[best] = left[last];
    least[best] = least[last];
    own[best] = own[last];
    nearest[best] = nearest[last];
    for (std::size_t c = 0; c < d; ++c) column[c * (n - 1) + best] = column[c * (n - 1) + last];
  }
  std::ranges::stable_sort(edges, {}, &TreeEdge::length);
  return edges;
}

}  // namespace nw::cluster
