// Column generation around a network simplex whose basis lives on.
//
// 1. Make the potentials feasible and tight by c-transforms.
// 2. Take as candidates the arcs of smallest reduced cost of every row and column.
// 3. Start from the plan of the coarser level, shared out among its points (coarse_plan.hpp), or
// from a greedy forest over the candidates; what it cannot serve hangs on the root.
// 4. Pivot until no candidate is violated, in pieces of the tree first (piecewise_simplex.hpp);
// price all n x m arcs; add the violated ones; repeat. Step 4 ends with a full pricing pass without
// a violation and no flow on artificial arcs: a proof of optimality. Artificial costs start small,
// so that the artificial root attracts only what the candidates serve badly, and grow while flow
// remains on it.
#include "ot/level_solver.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "ot/accurate_sum.hpp"
#include "ot/cost_key.hpp"
#include "ot/level_flows.hpp"
#include "ot/piecewise_simplex.hpp"

namespace nw::ot {
namespace {

/// Artificial arcs cost this many mean reduced costs above the potentials ...
constexpr double kArtificialCost = 50.0;
/// ... and this many times more whenever that does not draw the flow off them. Each time takes a
/// round, whose pivots are few and whose pass over all pairs is not.
constexpr double kRaise = 5.0;
/// Violated arcs taken per source and round.
constexpr std::size_t kArcsPerRound = 20;
/// Single precision serves while its error is below this share of the mean reduced cost.
constexpr double kSinglePrecisionShare = 0.05;

/// Adds the arcs of `first` that `arcs` lacks; those are sorted by source then target and stay so.
/// Returns, in order, where each arc of `first` is found.
std::vector<std::uint32_t> merge_first_arcs(std::vector<Arc>& arcs, std::span<const Arc> first) {
  if (first.empty()) return {};
  const auto before = [](const Arc& a, const Arc& b) {
    return a.source < b.source || (a.source == b.source && a.target < b.target);
  };
  const auto same = [&](const Arc& a, const Arc& b) { return !before(a, b) && !before(b, a); };
  const auto middle = static_cast<std::ptrdiff_t>(arcs.size());
  arcs.insert(arcs.end(), first.begin(), first.end());
  std::sort(arcs.begin() + middle, arcs.end(), before);
  std::inplace_merge(arcs.begin(), arcs.begin() + middle, arcs.end(), before);
  arcs.erase(std::unique(arcs.begin(), arcs.end(), same), arcs.end());
  std::vector<std::uint32_t> positions;
  positions.reserve(first.size());
  for (const Arc& arc : first) {
    const auto found = std::lower_bound(arcs.begin(), arcs.end(), arc, before);
    positions.push_back(static_cast<std::uint32_t>(found - arcs.begin()));
  }
  return positions;
}

/// Positions of all arcs, in the lower halves of the result: those in `first`, then all by
/// increasing reduced cost. Their mean reduced cost goes to `mean`.
std::vector<std::uint64_t> starting_order(std::span<const Arc> arcs, std::span<const double> f,
                                          std::span<const double> g,
                                          std::span<const std::uint32_t> first, double& mean) {
  std::vector<std::uint64_t> keys(first.begin(), first.end());
  keys.resize(first.size() + arcs.size());
  std::uint64_t* const others = keys.data() + first.size();
  double sum = 0.0;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const double reduced = arcs[k].cost - f[static_cast<std::size_t>(arcs[k].source)] -
                           g[static_cast<std::size_t>(arcs[k].target)];
    sum += reduced;
    others[k] = cost_key(reduced, k);
  }
  mean = std::max(sum / static_cast<double>(arcs.size()), 0.0);
  std::sort(others, others + arcs.size());
  return keys;  // an arc listed twice is skipped the second time: one of its ends is placed
}

/// Violations up to this share of the gap asked for wait at first; the next round takes those up to
/// a fifth of that, and so on.
constexpr double kShareOfGap = 0.3;
constexpr double kTighten = 0.2;

double plan_cost(const SpanningTree& tree, const CostModel& costs, double total) {
  AccurateSum sum;
  for (const LevelFlow& entry : flows_of(tree, costs)) {
    sum.add_product(static_cast<double>(entry.flow) / total,
                    costs.cost(entry.source, entry.target));
  }
  return sum.value();
}

double dual_objective(const LevelProblem& problem, std::span<const double> f,
                      std::span<const double> g, double total) {
  AccurateSum sum;
  for (std::size_t i = 0; i < f.size(); ++i) {
    sum.add_product(static_cast<double>(problem.supply[i]) / total, f[i]);
  }
  for (std::size_t j = 0; j < g.size(); ++j) {
    sum.add_product(static_cast<double>(problem.demand[j]) / total, g[j]);
  }
  return sum.value();
}

/// The bound of potentials that all arcs but `violated` respect up to `tolerance`: each source
/// gives way to the worst of its own.
double corrected_bound(const LevelProblem& problem, std::vector<double> f,
                       std::span<const double> g, std::span<const Arc> violated, double tolerance,
                       double total) {
  std::vector<double> lowest(f.size(), -std::max(tolerance, 0.0));
  for (const Arc& arc : violated) {
    const auto i = static_cast<std::size_t>(arc.source);
    lowest[i] = std::min(lowest[i], arc.cost - f[i] - g[static_cast<std::size_t>(arc.target)]);
  }
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += lowest[i];
  return dual_objective(problem, f, g, total);
}

}  // namespace

LevelResult solve_level(const LevelProblem& problem, std::vector<double> g,
                        const LevelOptions& options, PivotBudget& budget) {
  LevelResult level;
  bool single =
      options.expected_reduced_cost == 0.0 ||
      problem.single_precision_error < kSinglePrecisionShare * options.expected_reduced_cost;
  const auto precision = [&] {
    return single ? SearchPrecision::single_precision : SearchPrecision::double_precision;
  };
  level.costs = problem.make_costs(precision());
  std::vector<double> f(problem.supply.size());
  level.costs->transform_to_sources(g, f);
  std::vector<Arc> arcs = level.costs->raise_targets(f, g, problem.quota);

  std::vector<Arc> plan;
  if (options.coarse_plan != nullptr && !options.coarse_plan->empty()) {
    plan = split_plan(*options.coarse_plan, {problem.supply, problem.demand, f, g}, *level.costs);
  }
  double mean = 0.0;
  std::vector<std::uint64_t> order = starting_order(
      arcs, f, g, merge_first_arcs(arcs, plan.empty() ? options.first_arcs : plan), mean);
  std::vector<Arc>().swap(plan);
  level.mean_reduced_cost = mean;
  if (single && problem.single_precision_error > kSinglePrecisionShare * mean) {
    single = false;
    level.costs = problem.make_costs(precision());
  }

  double artificial_cost = options.cold
                               ? problem.cost_scale
                               : std::max(kArtificialCost * mean, 1e-6 * problem.cost_scale);
  // Coinciding clouds have no scale at all, and doubling zero would not raise it.
  if (artificial_cost <= 0.0) artificial_cost = 1.0;
  level.simplex = std::make_unique<NetworkSimplex>(problem.supply, problem.demand, std::move(arcs));
  level.simplex->start(order, f, g, artificial_cost);
  std::vector<std::uint64_t>().swap(order);

  SpanningTree& tree = level.simplex->tree();
  const double total = static_cast<double>(
      std::accumulate(problem.supply.begin(), problem.supply.end(), std::int64_t{0}));
  const std::int64_t pivots_before = budget.pivots();
  std::vector<double> best_g;
  double best_bound = -std::numeric_limits<double>::infinity();
  /// Reports the bounds and keeps the better potentials, in case the solve is stopped.
  const auto near_enough = [&](double bound) {
    if (!options.on_bounds) return false;
    if (bound > best_bound) best_bound = bound, best_g = g;
    return options.on_bounds(plan_cost(tree, *level.costs, total), best_bound);
  };
  const double first_bound = options.on_bounds ? dual_objective(problem, f, g, total) : 0.0;
  if (near_enough(first_bound)) {
    level.outcome = SimplexOutcome::gap_reached;
    level.f = std::move(f);
    level.g = std::move(g);
    return level;
  }
  const double accepted = std::max(options.tolerance, options.relative_tolerance * mean);
  const double last_tolerance =
      std::max(options.tolerance, 0.1 * options.relative_tolerance * mean);
  double run_tolerance =
      std::max(last_tolerance, kShareOfGap * options.gap * (first_bound + options.cost_offset));
  std::int64_t previous_artificial = -1;
  PiecewiseSimplex piecewise(*level.simplex, problem.threads);
  for (;;) {
    piecewise.run(run_tolerance, budget);
    level.outcome = level.simplex->run(run_tolerance, budget);
    tree.refresh_potentials();
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = tree.source_potential(i);
    for (std::size_t j = 0; j < g.size(); ++j) g[j] = tree.target_potential(j);
    if (level.outcome != SimplexOutcome::clean) break;

    Violations found = level.costs->violated_arcs(
        f, g, options.tolerance - problem.look_ahead * mean, kArcsPerRound);
    const std::vector<Arc>& violated = found.arcs;
    const double worst = found.worst;
    const std::int64_t artificial = tree.artificial_flow();
    if (artificial == 0 && worst >= -accepted) {
      level.transform = std::move(found.transform);
      break;
    }
    if (options.on_bounds &&
        near_enough(corrected_bound(problem, f, g, violated, options.tolerance, total))) {
      level.outcome = SimplexOutcome::gap_reached;
      break;
    }
    // Violations that a run would not act on cannot draw flow off the artificial arcs: only a
    // higher price can.
    const bool nothing_to_do = worst >= -run_tolerance;
    const bool stuck = previous_artificial >= 0 && 2 * artificial > previous_artificial;
    if (artificial > 0 &&
        (nothing_to_do || (stuck && artificial_cost < 4.0 * problem.cost_scale))) {
      tree.raise_artificial_cost((kRaise - 1.0) * artificial_cost);
      artificial_cost *= kRaise;
    }
    previous_artificial = artificial;
    run_tolerance = std::max(last_tolerance, kTighten * run_tolerance);
    level.simplex->add_arcs(violated);
    if (budget.interrupted()) {
      level.outcome = SimplexOutcome::interrupted;
      break;
    }
  }
  if (level.outcome != SimplexOutcome::clean && !best_g.empty()) {
    // The potentials of a tree halfway may prove less than earlier ones; those of a tree without a
    // pivot do, and who interrupts does not want to wait for a pass that says so.
    const bool untouched = budget.pivots() == pivots_before;
    if (!untouched) level.costs->transform_to_sources(g, f);
    if (untouched || dual_objective(problem, f, g, total) < best_bound) g = std::move(best_g);
  }
  level.f = std::move(f);
  level.g = std::move(g);
  return level;
}

}  // namespace nw::ot
