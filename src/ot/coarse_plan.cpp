#include "ot/coarse_plan.hpp"

#include <algorithm>
#include <utility>

#include "ot/cost_key.hpp"

namespace nw::ot {
namespace {

/// The pairs of points below the flows of a coarse plan, numbered from 0: those of the first flow,
/// then those of the second and so on, `per_flow` each, of which the last cells lack some.
class FinePairs {
 public:
  struct Pair {
    std::size_t flow, source, target;
  };

  explicit FinePairs(const CoarsePlan& plan)
      : plan_(plan), per_flow_(plan.source_ratio * plan.target_ratio) {}

  [[nodiscard]] std::size_t count() const { return plan_.flows.size() * per_flow_; }
  [[nodiscard]] Pair at(std::size_t number) const {
    const std::size_t flow = number / per_flow_, within = number % per_flow_;
    const LevelFlow& cells = plan_.flows[flow];
    return {flow, cells.source * plan_.source_ratio + within / plan_.target_ratio,
            cells.target * plan_.target_ratio + within % plan_.target_ratio};
  }

 private:
  const CoarsePlan& plan_;
  std::size_t per_flow_;
};

/// Keys of the pairs by increasing reduced cost.
std::vector<std::uint64_t> by_reduced_cost(const FinePairs& pairs, const LevelState& level,
                                           const CostModel& costs) {
  std::vector<std::uint64_t> keys;
  keys.reserve(pairs.count());
  for (std::size_t number = 0; number < pairs.count(); ++number) {
    const auto [flow, i, j] = pairs.at(number);
    if (i >= level.supply.size() || j >= level.demand.size()) continue;
    const double reduced = costs.cost(i, j) - level.f[i] - level.g[j];
    keys.push_back(cost_key(reduced, number));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

std::vector<Arc> split_plan(const CoarsePlan& coarse, const LevelState& level,
                            const CostModel& costs) {
  const FinePairs pairs(coarse);
  std::vector<std::int64_t> supply(level.supply.begin(), level.supply.end());
  std::vector<std::int64_t> demand(level.demand.begin(), level.demand.end());
  std::vector<std::int64_t> between;
  between.reserve(coarse.flows.size());
  for (const LevelFlow& entry : coarse.flows) between.push_back(entry.flow);
  std::vector<Arc> arcs;
  for (const std::uint64_t key : by_reduced_cost(pairs, level, costs)) {
    const auto [flow, i, j] = pairs.at(static_cast<std::uint32_t>(key));
    const std::int64_t moved = std::min({supply[i], demand[j], between[flow]});
    if (moved == 0) continue;
    supply[i] -= moved;
    demand[j] -= moved;
    between[flow] -= moved;
    arcs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), costs.cost(i, j)});
  }
  return leaves_first(arcs, supply.size(), demand.size());
}

std::vector<Arc> leaves_first(std::span<const Arc> arcs, std::size_t sources, std::size_t targets) {
  const auto ends = [&](const Arc& arc) {
    return std::pair(static_cast<std::size_t>(arc.source),
                     sources + static_cast<std::size_t>(arc.target));
  };
  // The exclusive or of the arcs left at a node names the arc of a node that has one left.
  std::vector<std::uint32_t> degree(sources + targets, 0), label(sources + targets, 0);
  for (std::uint32_t k = 0; k < arcs.size(); ++k) {
    const auto [i, j] = ends(arcs[k]);
    ++degree[i], ++degree[j];
    label[i] ^= k, label[j] ^= k;
  }
  std::vector<std::size_t> leaves;
  for (std::size_t x = 0; x < degree.size(); ++x) {
    if (degree[x] == 1) leaves.push_back(x);
  }
  std::vector<char> taken(arcs.size(), 0);
  std::vector<Arc> ordered;
  ordered.reserve(arcs.size());
  for (std::size_t head = 0; head < leaves.size(); ++head) {
    if (degree[leaves[head]] == 0) continue;  // its arc was its neighbour's last as well
    const std::uint32_t k = label[leaves[head]];
    taken[k] = 1;
    ordered.push_back(arcs[k]);
    const auto [i, j] = ends(arcs[k]);
    for (const std::size_t x : {i, j}) {
      label[x] ^= k;
      if (--degree[x] == 1) leaves.push_back(x);
    }
  }
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    if (taken[k] == 0) ordered.push_back(arcs[k]);
  }
  return ordered;
}

}  // namespace nw::ot
