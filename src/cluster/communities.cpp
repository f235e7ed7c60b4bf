// Communities by the method of Louvain (Blondel, Guillaume, Lambiotte and Lefebvre 2008), whose
// points visit only where something changed (Traag, Waltman and van Eck 2019, section 3.2): each
// point joins the group that raises modularity most, groups become points, and so on until nothing
// moves. Time is nearly linear in the ties.
#include "cluster/communities.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "nw/base/error.hpp"

namespace nw::cluster {
namespace {

/// Between groups, their own ties on the diagonal: [groups, groups].
Eigen::MatrixXd between(const SparseSymmetric& graph, std::span<const std::uint32_t> group,
                        std::size_t groups) {
  const auto count = static_cast<Eigen::Index>(groups);
  Eigen::MatrixXd weight = Eigen::MatrixXd::Zero(count, count);
  for (std::size_t i = 0; i < graph.rows(); ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      weight(group[i], group[graph.column[e]]) += graph.value[e];
    }
  }
  return weight;
}

std::size_t count_of(std::span<const std::uint32_t> group) {
  return group.empty() ? 0 : std::size_t{*std::ranges::max_element(group)} + 1;
}

/// Numbers groups from 0 in the order in which they appear.
void renumber(std::vector<std::uint32_t>& group) {
  constexpr auto kNone = std::uint32_t(-1);
  std::vector<std::uint32_t> number(count_of(group), kNone);
  std::uint32_t next = 0;
  for (auto& g : group) {
    if (number[g] == kNone) number[g] = next++;
    g = number[g];
  }
}

/// Moves points between groups until none of them gains by it; false where none did at all.
bool move_points(const SparseSymmetric& graph, double resolution, Rng& rng,
                 std::vector<std::uint32_t>& group) {
  const std::size_t n = graph.rows();
  std::vector<double> degree(n, 0.0), total(n), ties(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) degree[i] += graph.value[e];
  }
  const double all = std::accumulate(degree.begin(), degree.end(), 0.0);
  if (!(all > 0.0)) return false;
  group.resize(n);
  std::iota(group.begin(), group.end(), 0U);
  total = degree;
  std::vector<std::uint32_t> order = group, near;
  rng.shuffle(std::span(order));
  std::deque<std::uint32_t> waiting(order.begin(), order.end());
  std::vector<bool> waits(n, true);
  bool moved = false;
  while (!waiting.empty()) {
    const std::uint32_t i = waiting.front();
    waiting.pop_front();
    waits[i] = false;
    const std::uint32_t own = group[i];
    near.clear();
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      if (graph.column[e] == i) continue;
      const std::uint32_t g = group[graph.column[e]];
      if (ties[g] == 0.0) near.push_back(g);
      ties[g] += graph.value[e];
    }
    total[own] -= degree[i];
    const double price = resolution * degree[i] / all;
    std::uint32_t best = own;
    double most = ties[own] - price * total[own];
    const double least_gain = 1e-12 * degree[i];  // rounding must not move points for ever
    for (const std::uint32_t g : near) {
      if (const double gain = ties[g] - price * total[g]; gain > most + least_gain) {
        most = gain;
        best = g;
      }
    }
    total[best] += degree[i];
    for (const std::uint32_t g : near) ties[g] = 0.0;
    if (best == own) continue;
    moved = true;
    group[i] = best;
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      const std::uint32_t j = graph.column[e];
      if (j == i || group[j] == best || waits[j]) continue;
      waits[j] = true;
      waiting.push_back(j);
    }
  }
  renumber(group);
  return moved;
}

/// The graph whose points are the groups.
SparseSymmetric graph_of_groups(const SparseSymmetric& graph,
                                std::span<const std::uint32_t> group) {
  const std::size_t groups = count_of(group);
  std::vector<std::vector<std::uint32_t>> members(groups);
  for (std::size_t i = 0; i < group.size(); ++i) {
    members[group[i]].push_back(static_cast<std::uint32_t>(i));
  }
  SparseSymmetric coarse{.begin = {0}, .column = {}, .value = {}};
  std::vector<double> weight(groups, 0.0);
  std::vector<bool> met(groups, false);
  for (const auto& some : members) {
    std::vector<std::uint32_t> near;
    for (const std::uint32_t i : some) {
      for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
        const std::uint32_t g = group[graph.column[e]];
        if (!met[g]) near.push_back(g);
        met[g] = true;
        weight[g] += graph.value[e];
      }
    }
    std::ranges::sort(near);
    for (const std::uint32_t g : near) {
      coarse.column.push_back(g);
      coarse.value.push_back(weight[g]);
      weight[g] = 0.0;
      met[g] = false;
    }
    coarse.begin.push_back(coarse.column.size());
  }
  return coarse;
}

}  // namespace

double modularity(const SparseSymmetric& graph, std::span<const std::uint32_t> group,
                  double resolution) {
  const Eigen::MatrixXd weight = between(graph, group, count_of(group));
  const double all = weight.sum();
  if (!(all > 0.0)) return 0.0;
  return weight.trace() / all - resolution * (weight.rowwise().sum() / all).squaredNorm();
}

std::vector<std::uint32_t> communities(const SparseSymmetric& graph, double resolution, Rng rng) {
  require(resolution > 0.0, "communities: the resolution must be positive, got ", resolution);
  std::vector<std::uint32_t> found(graph.rows()), group;
  std::iota(found.begin(), found.end(), 0U);
  SparseSymmetric coarse = graph;
  while (move_points(coarse, resolution, rng, group)) {
    for (auto& f : found) f = group[f];
    coarse = graph_of_groups(coarse, group);
  }
  return found;
}

std::vector<std::uint32_t> join_groups(const SparseSymmetric& graph,
                                       std::span<const std::uint32_t> group, std::size_t k,
                                       Joining joining) {
  const std::size_t groups = count_of(group);
  if (groups < k) return {};
  Eigen::MatrixXd weight = between(graph, group, groups);
  std::vector<Eigen::Index> left(groups);
  std::iota(left.begin(), left.end(), Eigen::Index{0});
  std::vector<Eigen::Index> joined = left;  // the group that each has become part of
  while (left.size() > k) {
    const Eigen::VectorXd total = weight.rowwise().sum();
    std::size_t first = 0, second = 1;
    double most = -1.0;
    for (std::size_t b = 1; b < left.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const double one = total[left[a]], other = total[left[b]];
        const double possible = joining == Joining::smaller ? std::min(one, other) : one * other;
        if (const double share = weight(left[a], left[b]) / std::max(possible, 1e-300);
            share > most) {
          most = share;
          first = a;
          second = b;
        }
      }
    }
    const Eigen::Index to = left[first], from = left[second];
    weight.row(to) += weight.row(from).eval();
    weight.col(to) += weight.col(from).eval();
    weight.row(from).setZero();
    weight.col(from).setZero();
    std::ranges::replace(joined, from, to);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(second));
  }
  std::vector<std::uint32_t> cluster(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    cluster[i] = static_cast<std::uint32_t>(joined[group[i]]);
  }
  renumber(cluster);
  return cluster;
}

}  // namespace nw::cluster
