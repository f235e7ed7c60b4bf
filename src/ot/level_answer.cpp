#include "ot/level_answer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ot/accurate_sum.hpp"
#include "ot/level_flows.hpp"

namespace nw::ot {
namespace {

Termination termination_of(SimplexOutcome outcome) {
  switch (outcome) {
    case SimplexOutcome::clean:
      return Termination::optimal;
    case SimplexOutcome::gap_reached:
      return Termination::gap_reached;
    case SimplexOutcome::pivot_limit:
      return Termination::pivot_limit;
    case SimplexOutcome::interrupted:
      return Termination::interrupted;
  }
  return Termination::interrupted;
}

/// Sorts the plan and adds up flows between the same two points.
void tidy(std::vector<Flow>& plan) {
  std::sort(plan.begin(), plan.end(), [](const Flow& a, const Flow& b) {
    return a.source < b.source || (a.source == b.source && a.target < b.target);
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    if (kept > 0 && plan[kept - 1].source == plan[k].source &&
        plan[kept - 1].target == plan[k].target) {
      plan[kept - 1].mass += plan[k].mass;
    } else {
      plan[kept++] = plan[k];
    }
  }
  plan.resize(kept);
}

/// Objectives of a plan and of potentials, as shares of the total mass.
struct Objectives {
  double primal, dual;
};

Objectives objectives(const CostModel& costs, std::span<const LevelFlow> flows,
                      std::span<const std::int64_t> supply, std::span<const std::int64_t> demand,
                      std::span<const double> f, std::span<const double> g, double total) {
  AccurateSum primal, dual;
  for (const LevelFlow& entry : flows) {
    primal.add_product(static_cast<double>(entry.flow) / total,
                       costs.cost(entry.source, entry.target));
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    dual.add_product(static_cast<double>(supply[i]) / total, f[i]);
  }
  for (std::size_t j = 0; j < g.size(); ++j) {
    dual.add_product(static_cast<double>(demand[j]) / total, g[j]);
  }
  return {primal.value(), dual.value()};
}

}  // namespace

Progress::Progress(const ExactOptions& options, int levels) {
  state.levels = levels;
  std::function<bool()> keep_going;
  if (options.observer) {
    keep_going = [this, &options] {
      state.pivots = budget.pivots();
      return options.observer(state);
    };
  }
  budget = PivotBudget(options.max_pivots, std::move(keep_going));
}

bool Progress::note(double cost, double dual_objective, double wanted_gap) {
  history.push_back({.seconds = watch.seconds(),
                     .pivots = budget.pivots(),
                     .cost = cost,
                     .dual_objective = dual_objective});
  if (cost > 0.0) state.gap = std::max(cost - dual_objective, 0.0) / cost;
  return wanted_gap > 0.0 && cost - dual_objective <= wanted_gap * cost;
}

TransportResult make_answer(const LevelResult& level, std::int64_t total_mass,
                            std::span<const std::int64_t> supply,
                            std::span<const std::int64_t> demand,
                            std::span<const std::uint32_t> source_rows,
                            std::span<const std::uint32_t> target_rows) {
  TransportResult result;
  result.termination = termination_of(level.outcome);
  const double total = static_cast<double>(total_mass);
  const std::vector<LevelFlow> flows = flows_of(level.simplex->tree(), *level.costs);
  const auto [primal, dual] =
      objectives(*level.costs, flows, supply, demand, level.f, level.g, total);
  result.cost = primal;
  result.dual_objective = dual;
  result.plan.reserve(flows.size());
  for (const LevelFlow& entry : flows) {
    result.plan.push_back({source_rows[entry.source], target_rows[entry.target],
                           static_cast<double>(entry.flow) / total});
  }
  tidy(result.plan);
  return result;
}

}  // namespace nw::ot
