#include "ot/level_flows.hpp"

#include <algorithm>
#include <utility>

#include "ot/dense_transport.hpp"

namespace nw::ot {

std::vector<LevelFlow> flows_of(const SpanningTree& tree, const CostModel& costs) {
  const std::size_t sources = costs.sources();
  std::vector<LevelFlow> flows;
  tree.for_each_arc([&](std::size_t i, std::size_t j, std::int64_t flow) {
    if (flow > 0) {
      flows.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), flow});
    }
  });
  std::vector<std::pair<std::uint32_t, std::int64_t>> supply, demand;
  tree.for_each_artificial([&](std::size_t node, std::int64_t flow) {
    if (flow == 0) return;
    if (node < sources) {
      supply.emplace_back(static_cast<std::uint32_t>(node), flow);
    } else {
      demand.emplace_back(static_cast<std::uint32_t>(node - sources), flow);
    }
  });
  if (supply.empty()) return flows;
  if (std::max(supply.size(), demand.size()) <= DenseTransport::kLargest) {
    std::vector<std::int64_t> left, room;
    for (const auto& entry : supply) left.push_back(entry.second);
    for (const auto& entry : demand) room.push_back(entry.second);
    DenseTransport pairing;
    if (pairing.find_flows(std::move(left), std::move(room), [&](std::size_t s, std::size_t t) {
          return costs.cost(supply[s].first, demand[t].first);
        })) {
      pairing.for_each_flow([&](std::size_t s, std::size_t t, std::int64_t flow) {
        flows.push_back({supply[s].first, demand[t].first, flow});
      });
      return flows;
    }
  }
  for (std::size_t s = 0, t = 0; s < supply.size() && t < demand.size();) {
    const std::int64_t flow = std::min(supply[s].second, demand[t].second);
    flows.push_back({supply[s].first, demand[t].first, flow});
    if ((supply[s].second -= flow) == 0) ++s;
    if ((demand[t].second -= flow) == 0) ++t;
  }
  return flows;
}

}  // namespace nw::ot
