// How many clusters there are, by agreement: communities of two graphs at three resolutions are
// joined until k are left, for every k. As long as k clusters are there, the ways of finding them
// end at the same ones; beyond that each splits another cluster. Agreement is that about the
// cluster they agree least about (Hennig 2007 judges clusters one by one, too): of many clusters,
// a split of one hardly moves the adjusted Rand index of all. The spectrum of a walk says less: it
// goes by the largest gap alone, which lies between one cluster and all others more often than not
// (docs/measurements/cluster_measured.md has all three).
#include <algorithm>
#include <limits>
#include <span>

#include "nw/base/parallel.hpp"

#include "cluster/joined_communities.hpp"

namespace nw::cluster {
namespace {

constexpr std::uint64_t kGroups = 12;
/// From here on clusters are the same; chosen on digits and clouds (docs/measurements).
constexpr double kSameCluster = 0.85;

/// A graph with its communities at one resolution.
struct Communities {
  const SparseSymmetric* graph;
  std::vector<std::uint32_t> group;
};

/// Least over the clusters of `one` of the Jaccard index with the most similar of `other`'s.
double least_similar(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other,
                     std::size_t k) {
  std::vector<double> both(k * k, 0.0), in_one(k, 0.0), in_other(k, 0.0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    both[one[i] * k + other[i]] += 1.0;
    in_one[one[i]] += 1.0;
    in_other[other[i]] += 1.0;
  }
  double least = 1.0;
  for (std::size_t a = 0; a < k; ++a) {
    double most = 0.0;
    for (std::size_t b = 0; b < k; ++b) {
      const double shared = both[a * k + b];
      most = std::max(most, shared / (in_one[a] + in_other[b] - shared));
    }
    least = std::min(least, most);
  }
  return least;
}

/// Mean over the other ways to k clusters of how much they agree with the best separated one about
/// the cluster they agree least about; 0 for fewer than two ways.
double agreement_about(const std::vector<Communities>& found, const Neighbourhood& known,
                       std::size_t k) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const Joining joining : ways_of_joining(k)) {
    for (const auto& one : found) {
      auto cluster = join_groups(*one.graph, one.group, k, joining);
      if (!cluster.empty()) all.push_back(std::move(cluster));
    }
  }
  if (all.size() < 2) return 0.0;
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (const double apart = separation(known, all[c], k).apart(); apart > most) {
      most = apart;
      best = c;
    }
  }
  double sum = 0.0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (c != best) sum += least_similar(all[best], all[c], k);
  }
  return sum / static_cast<double>(all.size() - 1);
}

}  // namespace

std::optional<std::size_t> agreed_clusters(MatrixView points, const DiffusionOptions& options,
                                           std::size_t most, const Rng& rng) {
  const auto around = surroundings(points, options, 2 * options.neighbours, rng);
  const auto graphs = community_graphs(around, options);
  std::vector<Communities> found(graphs.size() * kResolutions.size());
  const int threads = resolve_threads(options.threads);
  parallel_for(threads, found.size(), 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t t = first; t < last; ++t) {
      const auto& graph = graphs[t / kResolutions.size()].graph;
      const double resolution = kResolutions[t % kResolutions.size()];
      found[t] = {&graph, communities(graph, resolution, rng.split(kGroups).split(t))};
    }
  });
  const auto known = judging_neighbours(around);
  if (most < 2) return {};
  std::vector<double> agreed(most - 1);
  parallel_for(threads, agreed.size(), 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t t = first; t < last; ++t) agreed[t] = agreement_about(found, known, t + 2);
  });
  for (std::size_t t = agreed.size(); t-- > 0;) {
    if (agreed[t] >= kSameCluster) return t + 2;
  }
  const auto most_agreed = std::ranges::max_element(agreed);
  if (!(*most_agreed > 0.0)) return {};
  return static_cast<std::size_t>(most_agreed - agreed.begin()) + 2;
}

}  // namespace nw::cluster
