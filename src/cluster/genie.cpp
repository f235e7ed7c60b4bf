// Gagolewski, Bartoszuk and Cena 2016: the edges of the least spanning tree are taken by length;
// while the Gini index of the sizes exceeds the limit, only edges of a smallest cluster count.
// Without the limit it is single linkage.
#include "nw/cluster/genie.hpp"

#include <cmath>
#include <map>
#include <numeric>

#include "nw/base/error.hpp"

#include "cluster/genie_merges.hpp"
#include "cluster/row_index.hpp"

namespace nw::cluster {
namespace {

/// Sizes of clusters and the Gini index sum |s_i - s_j| / ((m - 1) sum s), which is 0 for equal
/// sizes and 1 where one cluster has nearly all.
class Sizes {
 public:
  explicit Sizes(std::size_t points)
      : count_{{1, points}}, clusters_(points), points_(static_cast<double>(points)) {}

  void join(std::size_t a, std::size_t b) {
    remove(a);
    remove(b);
    differences_ += distance_to(a + b);
    ++count_[a + b];
    --clusters_;
  }
  [[nodiscard]] std::size_t least() const { return count_.begin()->first; }
  [[nodiscard]] double gini() const {
    return clusters_ < 2 ? 0.0 : differences_ / (static_cast<double>(clusters_ - 1) * points_);
  }

 private:
  void remove(std::size_t size) {
    const auto entry = count_.find(size);
    if (--entry->second == 0) count_.erase(entry);
    differences_ -= distance_to(size);
  }
  [[nodiscard]] double distance_to(std::size_t size) const {
    double sum = 0.0;
    for (const auto& [other, times] : count_) {
      sum += static_cast<double>(times) *
             std::abs(static_cast<double>(other) - static_cast<double>(size));
    }
    return sum;
  }

  std::map<std::size_t, std::size_t> count_;  // by size; O(sqrt n) different ones
  std::size_t clusters_;
  double points_, differences_ = 0.0;
};

class Forest {
 public:
  explicit Forest(std::size_t n) : parent_(2 * n - 1), size_(2 * n - 1, 1), next_(n) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  [[nodiscard]] std::uint32_t size(std::uint32_t root) const { return size_[root]; }
  std::uint32_t join(std::uint32_t a, std::uint32_t b) {
    const auto made = static_cast<std::uint32_t>(next_++);
    parent_[a] = parent_[b] = made;
    return size_[made] = size_[a] + size_[b];
  }

 private:
  std::vector<std::uint32_t> parent_, size_;
  std::size_t next_;
};

}  // namespace

void GenieOptions::validate() const {
  require(inequity >= 0.0 && inequity <= 1.0, "GenieOptions.inequity must lie in [0, 1], got ",
          inequity);
}

std::vector<Merge> genie_merges(const std::vector<TreeEdge>& edges, double inequity) {
  const std::size_t n = edges.size() + 1;
  Forest forest(n);
  Sizes sizes(n);
  std::vector<bool> used(edges.size(), false);
  std::vector<Merge> merges;
  merges.reserve(edges.size());
  // An edge that no smallest cluster touches is not touched by one of that size later, because
  // clusters only grow: the search goes on where it stopped, until the least size changes.
  std::size_t shortest = 0, searched = 0, searched_size = 0;
  while (merges.size() < edges.size()) {
    while (used[shortest]) ++shortest;
    std::size_t e = shortest;
    if (sizes.gini() > inequity) {
      const std::size_t least = sizes.least();
      if (least != searched_size) {
        searched = shortest;
        searched_size = least;
      }
      for (;; ++searched) {
        if (used[searched]) continue;
        if (forest.size(forest.find(edges[searched].from)) == least ||
            forest.size(forest.find(edges[searched].to)) == least) {
          break;
        }
      }
      e = searched;
    }
    used[e] = true;
    const auto a = forest.find(edges[e].from), b = forest.find(edges[e].to);
    sizes.join(forest.size(a), forest.size(b));
    const auto size = forest.join(a, b);
    merges.push_back({std::min(a, b), std::max(a, b), edges[e].length, size});
  }
  return merges;
}

std::vector<Merge> genie(MatrixView points, const GenieOptions& options) {
  options.validate();
  const std::size_t n = points.rows();
  require(n > 0, "genie: no points");
  std::vector<double> core;
  if (options.core_neighbour > 1 && n > 1) {
    const std::size_t m = std::min(options.core_neighbour, n - 1);
    const auto near = RowIndex(points).nearest(points, m, /*skip_self=*/true, options.threads);
    for (std::size_t i = 0; i < n; ++i) core.push_back(std::sqrt(near.distance[i * m + m - 1]));
  }
  return genie_merges(density_tree(points, core), options.inequity);
}

std::vector<std::uint32_t> cut_tree(const std::vector<Merge>& merges, std::size_t k) {
  const std::size_t n = merges.size() + 1;
  require(k > 0 && k <= n, "cut_tree: ", k, " clusters of ", n, " points");
  std::vector<std::uint32_t> parent(2 * n - 1);
  std::iota(parent.begin(), parent.end(), std::uint32_t{0});
  for (std::size_t t = 0; t < n - k; ++t) {
    parent[merges[t].first] = parent[merges[t].second] = static_cast<std::uint32_t>(n + t);
  }
  // Parents have larger numbers than their parts: one pass from above finds every root.
  for (std::size_t i = parent.size(); i-- > 0;) parent[i] = parent[parent[i]];
  std::vector<std::uint32_t> name(parent.size(), static_cast<std::uint32_t>(n)), cluster(n);
  std::uint32_t names = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto& own = name[parent[i]];
    if (own == n) own = names++;
    cluster[i] = own;
  }
  return cluster;
}

}  // namespace nw::cluster
