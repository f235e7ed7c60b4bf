// One level of the exact solver: from good potentials to an optimal basis.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ot/coarse_plan.hpp"
#include "ot/cost_model.hpp"
#include "ot/network_simplex.hpp"
#include "ot/point_costs.hpp"

namespace nw::ot {

/// A transport problem with integer masses and costs of order `cost_scale`.
struct LevelProblem {
  std::function<std::unique_ptr<CostModel>(SearchPrecision)> make_costs;
  std::span<const std::int64_t> supply, demand;
  double cost_scale = 1.0;
  /// Error of one cost in a search in single precision; 0 when precision makes no difference.
  double single_precision_error = 0.0;
  ArcQuota quota{30, 10};
  /// Pricing also takes arcs whose reduced cost is below this share of the candidates' mean: they
  /// may be violated in the next round, and save it where a pass over all costs is expensive.
  double look_ahead = 0.0;
  /// Threads that pivot.
  int threads = 1;
};

struct LevelOptions {
  /// Largest violation accepted at the end, in units of cost.
  double tolerance = 0.0;
  /// Also stop when violations are below this share of the mean reduced cost of the candidates:
  /// coarse levels only need to be good.
  double relative_tolerance = 0.0;
  /// Mean reduced cost of the coarser level's candidates, when there was one: it tells whether
  /// single precision will do. 0 when unknown.
  double expected_reduced_cost = 0.0;
  /// The potentials come from nowhere: let artificial arcs cost as much as real ones.
  bool cold = false;
  /// Arcs to start from before all others and in this order, such as an earlier plan's.
  std::span<const Arc> first_arcs;
  /// The plan of the coarser level; null or empty: none. Takes the place of `first_arcs`.
  const CoarsePlan* coarse_plan = nullptr;
  /// Called with the cost of the plan and a lower bound, as shares of the total mass, at the start
  /// and after each round; true stops the level with `gap_reached`.
  std::function<bool(double cost, double bound)> on_bounds = {};
  /// The relative gap that `on_bounds` waits for, and what costs have besides the level's:
  /// violations that matter little for it are left alone at first.
  double gap = 0.0, cost_offset = 0.0;
};

struct LevelResult {
  SimplexOutcome outcome = SimplexOutcome::clean;
  std::unique_ptr<NetworkSimplex> simplex;
  std::unique_ptr<CostModel> costs;
  std::vector<double> f, g;  ///< potentials of the final tree
  /// The c-transform of g, where the last pass over all pairs saw it; empty otherwise.
  std::vector<double> transform;
  double mean_reduced_cost = 0.0;  ///< of the first candidates
};

/// Solves the level starting from target potentials `g` (any values give the right answer).
[[nodiscard]] LevelResult solve_level(const LevelProblem& problem, std::vector<double> g,
                                      const LevelOptions& options, PivotBudget& budget);

}  // namespace nw::ot
