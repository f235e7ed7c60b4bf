// The plan of a coarse level as the start of the next finer one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ot/cost_model.hpp"
#include "ot/level_flows.hpp"

namespace nw::ot {

/// The plan of a coarser level, whose source c stands for the sources c * source_ratio, ... of the
/// finer one, with the sum of their masses; targets likewise.
struct CoarsePlan {
  std::vector<LevelFlow> flows;
  std::size_t source_ratio = 1, target_ratio = 1;

  [[nodiscard]] bool empty() const { return flows.empty(); }
};

/// Masses of a level, and potentials with f_i + g_j <= c(i, j) up to rounding.
struct LevelState {
  std::span<const std::int64_t> supply, demand;
  std::span<const double> f, g;
};

/// Arcs of a plan of the finer level that moves, between any two cells, what `coarse` moves between
/// them: cheap by reduced costs, not the cheapest. Each arc of small reduced cost takes all that
/// its ends and its cells have left, so nothing remains: where a flow between cells does, a source
/// and a target in them do, too. In the order of leaves_first().
[[nodiscard]] std::vector<Arc> split_plan(const CoarsePlan& coarse, const LevelState& level,
                                          const CostModel& costs);

/// The arcs in an order that takes leaves off the graph they form; arcs on cycles come last. A plan
/// that is a forest is found again by serving its arcs in this order.
[[nodiscard]] std::vector<Arc> leaves_first(std::span<const Arc> arcs, std::size_t sources,
                                            std::size_t targets);

}  // namespace nw::ot
