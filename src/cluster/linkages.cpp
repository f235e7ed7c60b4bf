#include "cluster/linkages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/parallel.hpp"

#include "cluster/genie_merges.hpp"
#include "cluster/row_index.hpp"

namespace nw::cluster {
namespace {

constexpr std::array kInequity{0.3, 0.5, 0.7, 1.0};

struct Kind {
  double apart;      // share of the points, those of least density
  std::size_t core;  // neighbour of the mutual reachability; 1: plain distances
};
constexpr std::array kKinds{Kind{0.0, 1},  Kind{0.0, 5}, Kind{0.0, 10}, Kind{0.05, 1}, Kind{0.05, 5},
                            Kind{0.1, 1},  Kind{0.1, 5}, Kind{0.2, 1},  Kind{0.2, 5}};

std::string name_of(const Kind& kind, double inequity) {
  std::string name = inequity < 1.0 ? concat("genie ", significant(inequity, 1)) : "single linkage";
  if (kind.core > 1) name += concat(", core ", kind.core);
  if (kind.apart > 0.0) name += concat(", ", percent(kind.apart), " apart");
  return name;
}

std::vector<Linkage> linkages_of(const Kind& kind, MatrixView rows, const Neighbourhood& around) {
  const std::size_t n = rows.rows(), m = around.near.count;
  std::vector<std::size_t> kept(n);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  std::vector<std::uint32_t> place;
  if (kind.apart > 0.0) {
    const auto& density = around.log_density;
    std::ranges::stable_sort(kept, [&](auto a, auto b) { return density[a] > density[b]; });
    kept.resize(n - static_cast<std::size_t>(kind.apart * static_cast<double>(n)));
    std::ranges::sort(kept);
  }
  const Matrix some = kept.size() < n ? rows_at(rows, kept) : Matrix();
  const MatrixView tree_rows = kept.size() < n ? some.view() : rows;
  if (kept.size() < n) {
    place = RowIndex(tree_rows).nearest(rows, 1, /*skip_self=*/false, 1).row;
  }
  std::vector<double> core;
  if (kind.core > 1) {
    const std::size_t neighbour = std::min(kind.core, m) - 1;
    for (const std::size_t i : kept) {
      core.push_back(std::sqrt(around.near.distance[i * m + neighbour]));
    }
  }
  const auto edges = density_tree(tree_rows, core);
  std::vector<Linkage> result;
  for (const double inequity : kInequity) {
    result.push_back({name_of(kind, inequity), genie_merges(edges, inequity), place});
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> Linkage::cut(std::size_t k) const {
  auto cluster = cut_tree(merges, std::min(k, merges.size() + 1));
  if (place.empty()) return cluster;
  std::vector<std::uint32_t> all(place.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = cluster[place[i]];
  return all;
}

std::vector<Linkage> make_linkages(MatrixView rows, const Neighbourhood& around, int threads) {
  std::vector<std::vector<Linkage>> each(kKinds.size());
  parallel_for(resolve_threads(threads), kKinds.size(), 1,
               [&](std::size_t first, std::size_t last, int) {
                 for (std::size_t t = first; t < last; ++t) {
                   each[t] = linkages_of(kKinds[t], rows, around);
                 }
               });
  std::vector<Linkage> all;
  for (auto& some : each) std::ranges::move(some, std::back_inserter(all));
  return all;
}

}  // namespace nw::cluster
