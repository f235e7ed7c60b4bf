// Private: Genie on a spanning tree that is there already.
#pragma once

#include <vector>

#include "nw/cluster/genie.hpp"

#include "cluster/density_tree.hpp"

namespace nw::cluster {

/// Edges by length, n - 1 of n points.
[[nodiscard]] std::vector<Merge> genie_merges(const std::vector<TreeEdge>& edges, double inequity);

}  // namespace nw::cluster
