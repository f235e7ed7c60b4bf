// Private: clusters of points by communities of their neighbours' graphs, found in several ways.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/cluster/diffusion_map.hpp"

#include "cluster/communities.hpp"
#include "cluster/separation.hpp"
#include "cluster/walk_map.hpp"

namespace nw::cluster {

/// The neighbours by which clusters are judged.
[[nodiscard]] Neighbourhood judging_neighbours(const Surroundings& around);

inline constexpr std::array kResolutions{1.0, 2.0, 4.0};

/// The graph in which each point is tied to options.neighbours others.
struct CommunityGraph {
  DiffusionOptions options;
  SparseSymmetric graph;
};

/// Of as many neighbours as asked for and of twice as many, where these are known.
[[nodiscard]] std::vector<CommunityGraph> community_graphs(const Surroundings& around,
                                                           const DiffusionOptions& options);

/// How communities become k clusters: in two ways where there are many, since in the second a small
/// one beside a large one is often lost.
[[nodiscard]] std::vector<Joining> ways_of_joining(std::size_t k);

struct JoinedCommunities {
  DiffusionOptions options;
  Joining joining;
  std::vector<std::uint32_t> cluster;
};

/// Communities of both graphs at three resolutions, joined until k are left.
[[nodiscard]] std::vector<JoinedCommunities> joined_communities(const Surroundings& around,
                                                                const DiffusionOptions& options,
                                                                std::size_t k, const Rng& rng);

/// ARI of two clusterings of the same points.
[[nodiscard]] double same_clusters(std::span<const std::uint32_t> one,
                                   std::span<const std::uint32_t> other);

}  // namespace nw::cluster
