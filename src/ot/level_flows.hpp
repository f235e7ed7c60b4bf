// The plan that a basis stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "ot/cost_model.hpp"
#include "ot/spanning_tree.hpp"

namespace nw::ot {

/// An entry of a plan in the level's own numbering.
struct LevelFlow {
  std::uint32_t source, target;
  std::int64_t flow;
};

/// The tree's flows, and for what a stopped solve left on artificial arcs a pairing, the cheapest
/// where little is left, so that the marginals hold in every case.
[[nodiscard]] std::vector<LevelFlow> flows_of(const SpanningTree& tree, const CostModel& costs);

}  // namespace nw::ot
