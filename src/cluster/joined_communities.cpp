#include "cluster/joined_communities.hpp"

#include <algorithm>

#include "nw/base/parallel.hpp"
#include "nw/cluster/agreement.hpp"

#include "cluster/neighbour_graph.hpp"

namespace nw::cluster {
namespace {

constexpr std::uint64_t kGroups = 12;

}  // namespace

Neighbourhood judging_neighbours(const Surroundings& around) {
  constexpr std::size_t kNeighbours = 10;
  return neighbourhood(nearest_of(around.near, std::min(kNeighbours, around.near.count)),
                       around.map.reference.cols());
}

std::vector<CommunityGraph> community_graphs(const Surroundings& around,
                                             const DiffusionOptions& options) {
  std::vector<CommunityGraph> graphs;
  for (const std::size_t neighbours : {options.neighbours, 2 * options.neighbours}) {
    if (neighbours > around.near.count) continue;
    const auto near = nearest_of(around.near, neighbours);
    auto one = options;
    one.neighbours = neighbours;
    graphs.push_back(
        {one, neighbour_graph(near,
                              scales_of(near, std::min(options.scale_neighbour, neighbours) - 1))});
  }
  return graphs;
}

std::vector<Joining> ways_of_joining(std::size_t k) {
  constexpr std::size_t kMany = 4;
  if (k < kMany) return {Joining::smaller};
  return {Joining::smaller, Joining::chance};
}

std::vector<JoinedCommunities> joined_communities(const Surroundings& around,
                                                  const DiffusionOptions& options, std::size_t k,
                                                  const Rng& rng) {
  constexpr double kMost = 64.0;
  const std::vector<Joining> ways = ways_of_joining(k);
  const auto graphs = community_graphs(around, options);
  std::vector<JoinedCommunities> all;
  for (const auto& one : graphs) {
    for (const auto joining : ways) {
      all.insert(all.end(), kResolutions.size(), {one.options, joining, {}});
    }
  }
  parallel_for(resolve_threads(options.threads), all.size(), 1,
               [&](std::size_t first, std::size_t last, int) {
                 for (std::size_t t = first; t < last; ++t) {
                   const auto& graph = graphs[t / (ways.size() * kResolutions.size())].graph;
                   const Rng stream = rng.split(kGroups).split(t);
                   double resolution = kResolutions[t % kResolutions.size()];
                   // Many clusters are more than there are communities at a low resolution.
                   for (; all[t].cluster.empty() && resolution <= kMost; resolution *= 2.0) {
                     all[t].cluster = join_groups(graph, communities(graph, resolution, stream), k,
                                                  all[t].joining);
                   }
                 }
               });
  std::erase_if(all, [](const JoinedCommunities& one) { return one.cluster.empty(); });
  return all;
}

double same_clusters(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
  return agreement(std::vector<std::int32_t>(one.begin(), one.end()), other).ari;
}

}  // namespace nw::cluster
