// Private: groups of a graph within which there are more ties than chance would have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/rng.hpp"

#include "cluster/leading_eigenvectors.hpp"

namespace nw::cluster {

/// Sum over groups of w_inside / w - resolution (w_group / w)^2, w_group being the weight of all
/// ends of ties in the group and w that of the graph (Reichardt and Bornholdt 2006; 1: Newman).
[[nodiscard]] double modularity(const SparseSymmetric& graph, std::span<const std::uint32_t> group,
                                double resolution);

/// Groups of large modularity, from 0. The higher the resolution, the more and the smaller. The
/// graph has no negative weights.
[[nodiscard]] std::vector<std::uint32_t> communities(const SparseSymmetric& graph,
                                                     double resolution, Rng rng);

/// Which two groups become one first: those between which lies the largest share of the smaller
/// one's ties, or those that have most ties beside what chance would have (Bonald, Charpentier,
/// Galland and Hollocou 2018). The first finds small clusters beside a large one, the second is
/// surer where clusters are many and alike.
enum class Joining { smaller, chance };

/// The k clusters that are left when groups become one, pair by pair. Empty where there are fewer
/// groups than k.
[[nodiscard]] std::vector<std::uint32_t> join_groups(const SparseSymmetric& graph,
                                                     std::span<const std::uint32_t> group,
                                                     std::size_t k, Joining joining);

}  // namespace nw::cluster
