#include "nw/app/transport/bounds_chart.hpp"

#include <utility>

namespace nw::app {

void draw_bounds(const ot::WassersteinResult& result, int p, record::RunRecord& record) {
  const auto& history = result.transport.history;
  if (history.size() < 2) return;
  const std::string value = p == 1 ? "W1" : "W2²";
  record::Series cost{.name = "cost of the plan",
                      .x_label = "seconds",
                      .y_label = value,
                      .chart = "What was certain about " + value + ", against time"};
  record::Series bound = cost;
  bound.name = "lower bound";
  for (const ot::BoundsInTime& moment : history) {
    cost.x.push_back(moment.seconds);
    cost.y.push_back(moment.cost);
    bound.x.push_back(moment.seconds);
    bound.y.push_back(moment.dual_objective);
  }
  record.series.push_back(std::move(cost));
  record.series.push_back(std::move(bound));
}

}  // namespace nw::app
