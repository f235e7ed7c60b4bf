// The leading coordinates of a walk run along the largest class, and directions of two values find
// small ones beside it; of few images it depends on the images which of them help. Among ten
// classes they join some and split others, where communities of the same graph find all. So maps
// of both kinds compete. Digits of MNIST and USPS chose what competes and by what
// (docs/measurements/cluster_measured.md).
#include <algorithm>
#include <limits>
#include <vector>

#include "nw/cluster/diffusion_map.hpp"
#include "nw/cluster/kmeans.hpp"

#include "cluster/joined_communities.hpp"
#include "cluster/walk_map.hpp"

namespace nw::cluster {
namespace {

constexpr std::uint64_t kClusters = 11;
constexpr std::size_t kFewestEach = 100;  // points for a coordinate of a map that competes

using Clusters = std::vector<std::uint32_t>;

std::vector<DiffusionOptions> walks(const DiffusionOptions& options, std::size_t points) {
  if (points >= options.points_each * (options.dimensions + options.spare)) return {options};
  std::vector<DiffusionOptions> all;
  for (const std::size_t neighbours :
       {options.neighbours, std::max<std::size_t>(options.neighbours / 2, 1),
        2 * options.neighbours}) {
    for (std::size_t spare = 0; spare <= options.spare; spare += 2) {
      if (points <= neighbours) continue;
      if (spare > 0 && points < kFewestEach * (options.dimensions + spare)) continue;
      auto one = options;
      one.neighbours = neighbours;
      one.spare = spare;
      one.points_each = kFewestEach;
      all.push_back(one);
    }
  }
  return all;
}

}  // namespace

DiffusionMap diffusion_map_for_clusters(MatrixView points, const DiffusionOptions& options,
                                        const Rng& rng) {
  const std::size_t k = options.dimensions + 1;
  const auto around = surroundings(points, options, 2 * options.neighbours, rng);
  const auto known = judging_neighbours(around);
  DiffusionMap best;
  Clusters best_cluster;
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& one : walks(options, around.map.reference.rows())) {
    auto map = walk_map(around, one, rng);
    auto found =
        kmeans({.points = map.coordinates},
               {.components = k, .restarts = 10, .threads = options.threads}, rng.split(kClusters));
    const bool some_empty = std::ranges::find(found.share, 0.0) != found.share.end();
    const double apart = some_empty ? std::numeric_limits<double>::lowest()
                                    : separation(known, found.assignment, k).apart();
    if (apart > most) {
      most = apart;
      best = std::move(map);
      best_cluster = std::move(found.assignment);
    }
  }
  const auto groups = joined_communities(around, options, k, rng);
  const JoinedCommunities* winner = nullptr;
  for (const auto& one : groups) {
    if (const double apart = separation(known, one.cluster, k).apart(); apart > most) {
      most = apart;
      winner = &one;
    }
  }
  if (winner != nullptr) {
    best = map_of_clusters(around, winner->options, winner->cluster, k);
    best_cluster = winner->cluster;
  }
  if (!best_cluster.empty() && most > std::numeric_limits<double>::lowest()) {
    best.valley = separation(known, best_cluster, k).valley;
  }
  const Joining joining = winner != nullptr ? winner->joining : Joining::smaller;
  double sum = 0.0, others = 0.0;
  for (const auto& one : groups) {
    if (&one == winner || one.joining != joining) continue;
    sum += same_clusters(best_cluster, one.cluster);
    others += 1.0;
  }
  if (others > 0.0) best.agreement = sum / others;
  return best;
}

}  // namespace nw::cluster
