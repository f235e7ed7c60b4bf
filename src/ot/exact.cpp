// Exact optimal transport: a multilevel network simplex with implicit costs.
//
// The transportation problem [NW:eq1] is solved on coarse versions of the clouds first: cells of a
// kd-tree, represented by their centres of mass. The potentials of a level, extended to the next by
// c-transforms, are so near the answer that a few arcs per point suffice (level_solver.cpp). In the
// plane its plan is shared out among the points of the cells (coarse_plan.hpp): potentials of the
// Euclidean cost are flat along the lines of transport and leave open who goes where. A last
// pricing pass over all n x m costs, computed on the fly and pruned by bounding boxes, proves
// optimality. Compare Merigot, "A multiscale approach to optimal transport" (2011), Gerber and
// Maggioni, "Multiscale strategies for computing optimal transport" (2017), and Schmitzer, "A
// sparse multiscale algorithm for dense optimal transport" (2016): we share the coarse-to-fine idea
// with all three; we differ by keeping the basis of one simplex alive while arcs are added to it.
//
// Memory O(n + m). Time: see the cost model in docs/transport.md.
#include "nw/ot/exact.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "nw/base/parallel.hpp"
#include "nw/ot/one_dimensional.hpp"

#include "ot/block_search.hpp"
#include "ot/level_answer.hpp"
#include "ot/level_solver.hpp"
#include "ot/merged_points.hpp"
#include "ot/normalized_clouds.hpp"
#include "ot/warm_start.hpp"

namespace nw::ot {
namespace {

/// Every coarser level merges this many points into one. Potentials of the Euclidean cost are only
/// Lipschitz, so a coarse level predicts the next less well and smaller steps pay; in many
/// dimensions a level of half the points costs more in distances than it saves.
std::size_t cell_growth(GroundCost cost, std::size_t dim) {
  return cost == GroundCost::euclidean && dim < kManyDimensions ? 2 : 4;
}
/// Levels have at least this many points.
constexpr std::size_t kSmallestLevel = 60;

/// Coarse levels stop at violations below this share of the mean reduced cost.
constexpr double kCoarseTolerance = 1e-3;

/// Candidates per source and target. The Euclidean cost is flat along the lines of transport, so it
/// needs more; a warm start has the arcs that matter already.
ArcQuota quota_for(GroundCost cost, bool warm) {
  if (warm) return {6, 3};
  return cost == GroundCost::euclidean ? ArcQuota{30, 10} : ArcQuota{12, 6};
}

/// In many dimensions a pass over all pairs costs more than the arcs that save it: those with a
/// reduced cost below this share of the mean are taken early.
constexpr double kLookAhead = 0.2;

/// Where the plan of a coarse level starts the next. With more coordinates points of a cell differ
/// in more than the plan decides, and arcs chosen by their reduced costs alone are the better
/// start.
constexpr std::size_t kPlanDimensions = 2;

/// Points per cell of each level, finest first, for a cloud of `size` points in `dim` dimensions.
std::vector<std::size_t> cell_sizes(std::size_t size, std::size_t dim, GroundCost cost) {
  std::vector<std::size_t> cells{1};
  const std::size_t growth = cell_growth(cost, dim);
  for (std::size_t cell = growth; size / cell >= kSmallestLevel; cell *= growth) {
    cells.push_back(cell);
  }
  return cells;
}

/// The multilevel solver for point clouds in normalised form.
class PointSolver {
 public:
  PointSolver(const NormalizedClouds& clouds, GroundCost cost, const ExactOptions& options)
      : clouds_(clouds),
        x_(clouds.source.cloud),
        y_(clouds.target.cloud),
        cost_(cost),
        options_(options),
        threads_(resolve_threads(options.threads)),
        scale_(cost == GroundCost::euclidean ? clouds.radius : clouds.radius * clouds.radius),
        error_(single_precision_error(cost, clouds.typical_norm, x_.dim)),
        x_cells_(cell_sizes(x_.size(), x_.dim, cost)),
        y_cells_(cell_sizes(y_.size(), y_.dim, cost)),
        warm_(load_warm_start(options.warm_start, clouds, cost)),
        coarse_levels_(
            warm_.usable ? 0 : static_cast<int>(std::max(x_cells_.size(), y_cells_.size())) - 1),
        progress_(options, coarse_levels_ + 1) {}

  LevelResult solve() {
    double expected = 0.0;
    std::vector<double> g = warm_.usable ? warm_.target_potential : descend(expected);
    LevelOptions level{.tolerance = finest_tolerance(),
                       .relative_tolerance = 0.0,
                       .expected_reduced_cost = expected,
                       .cold = !warm_.usable && coarse_levels_ == 0,
                       .first_arcs = warm_.arcs,
                       .coarse_plan = &plan_,
                       .gap = options_.gap,
                       .cost_offset = clouds_.separable_cost};
    const auto in_user_units = [this](double value) {
      return std::ldexp(value + clouds_.separable_cost, clouds_.cost_exponent);
    };
    level.on_bounds = [&](double cost, double bound) {
      return progress_.note(in_user_units(cost), in_user_units(bound), options_.gap);
    };
    progress_.state.level = coarse_levels_;
    LevelResult result = solve_level(problem_for(x_, y_), std::move(g), level, progress_.budget);
    if (stopped_ != SimplexOutcome::clean) result.outcome = stopped_;
    return result;
  }

  [[nodiscard]] std::int64_t pivots() const { return progress_.budget.pivots(); }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::vector<BoundsInTime> history() { return std::move(progress_.history); }

 private:
  /// Nothing below a few units in the last place of a cost can be told from rounding.
  [[nodiscard]] double finest_tolerance() const {
    return std::max(options_.tolerance, 1e-15) * scale_;
  }

  [[nodiscard]] LevelProblem problem_for(const PointCloud& x, const PointCloud& y) const {
    return {.make_costs =
                [&x, &y, this](SearchPrecision precision) {
                  return make_point_costs(x, y, cost_, precision, threads_);
                },
            .supply = x.mass,
            .demand = y.mass,
            .cost_scale = scale_,
            .single_precision_error = error_,
            .quota = quota_for(cost_, warm_.usable),
            .look_ahead = x.dim >= kManyDimensions ? kLookAhead : 0.0,
            .threads = threads_};
  }

  /// The smaller cloud may run out of levels before the larger one; its coarsest is used again.
  static PointCloud cloud_at(const PointCloud& finest, std::span<const std::size_t> cells,
                             int level) {
    return coarsen(finest, cells[std::min(static_cast<std::size_t>(level), cells.size() - 1)]);
  }

  /// How many cells of the next finer level make one of `level`.
  static std::size_t ratio(std::span<const std::size_t> cells, int level) {
    const auto cell = [&](int of) {
      return cells[std::min(static_cast<std::size_t>(of), cells.size() - 1)];
    };
    return cell(level) / cell(level - 1);
  }

  /// Target potentials for the finest level from the coarse ones, and the plan that it starts from.
  std::vector<double> descend(double& expected) {
    PointCloud coarse_x;
    std::vector<double> f;
    for (int level = coarse_levels_; level > 0; --level) {
      PointCloud x = cloud_at(x_, x_cells_, level), y = cloud_at(y_, y_cells_, level);
      const bool first = level == coarse_levels_;
      std::vector<double> g = first ? std::vector<double>(y.size(), 0.0) : extend(coarse_x, f, y);
      progress_.state.level = coarse_levels_ - level;
      LevelResult result = solve_level(problem_for(x, y), std::move(g),
                                       {.tolerance = finest_tolerance(),
                                        .relative_tolerance = kCoarseTolerance,
                                        .expected_reduced_cost = expected,
                                        .cold = first,
                                        .first_arcs = {},
                                        .coarse_plan = &plan_},
                                       progress_.budget);
      expected = result.mean_reduced_cost;
      f = std::move(result.f);
      coarse_x = std::move(x);
      plan_ = {};
      if (result.outcome != SimplexOutcome::clean) {
        stopped_ = result.outcome;
        break;
      }
      if (x_.dim == kPlanDimensions) {
        plan_ = {.flows = flows_of(result.simplex->tree(), *result.costs),
                 .source_ratio = ratio(x_cells_, level),
                 .target_ratio = ratio(y_cells_, level)};
      }
    }
    if (coarse_levels_ == 0) return std::vector<double>(y_.size(), 0.0);
    return extend(coarse_x, f, y_);
  }

  [[nodiscard]] std::vector<double> extend(const PointCloud& coarse, std::span<const double> f,
                                           const PointCloud& fine) const {
    std::vector<double> g(fine.size());
    extend_potential(coarse, f, fine, cost_, SearchPrecision::single_precision, threads_, g);
    return g;
  }

  const NormalizedClouds& clouds_;
  const PointCloud &x_, &y_;
  GroundCost cost_;
  const ExactOptions& options_;
  int threads_;
  double scale_, error_;
  std::vector<std::size_t> x_cells_, y_cells_;
  WarmStart warm_;
  int coarse_levels_;
  CoarsePlan plan_;
  Progress progress_;
  SimplexOutcome stopped_ = SimplexOutcome::clean;
};

/// Potentials of all points of a side in the user's order and units.
std::vector<double> user_potentials(const NormalizedSide& side, std::span<const double> potential,
                                    std::span<const double> massless, int exponent) {
  std::vector<double> all(potential.size() + massless.size());
  for (std::size_t i = 0; i < potential.size(); ++i) {
    all[side.rows[i]] = std::ldexp(potential[i] + side.separable[i], exponent);
  }
  for (std::size_t i = 0; i < massless.size(); ++i) {
    all[side.massless_rows[i]] = std::ldexp(massless[i] + side.massless_separable[i], exponent);
  }
  return all;
}

PointCloud joined(const PointCloud& a, const PointCloud& b) {
  PointCloud both = a;
  both.points.insert(both.points.end(), b.points.begin(), b.points.end());
  both.mass.insert(both.mass.end(), b.mass.begin(), b.mass.end());
  return both;
}

TransportResult solve_distinct(const PointProblem& problem, const ExactOptions& options) {
  const NormalizedClouds clouds = normalize(problem);
  const PointCloud &x = clouds.source.cloud, &y = clouds.target.cloud;
  PointSolver solver(clouds, problem.cost, options);
  LevelResult level = solver.solve();
  // The tree's potentials may violate a constraint by the tolerance; these do not.
  if (level.transform.empty()) {
    level.costs->transform_to_sources(level.g, level.f);
  } else {
    level.f = std::move(level.transform);
  }

  TransportResult result =
      make_answer(level, clouds.total_mass, x.mass, y.mass, clouds.source.rows, clouds.target.rows);
  result.pivots = solver.pivots();
  result.history = solver.history();
  result.cost = std::ldexp(result.cost + clouds.separable_cost, clouds.cost_exponent);
  result.dual_objective =
      std::ldexp(result.dual_objective + clouds.separable_cost, clouds.cost_exponent);

  std::vector<double> massless_f(clouds.source.massless.size());
  std::vector<double> massless_g(clouds.target.massless.size());
  const auto extend = [&](const PointCloud& cloud, std::span<const double> potential,
                          const PointCloud& queries, std::span<double> out) {
    extend_potential(cloud, potential, queries, problem.cost, SearchPrecision::single_precision,
                     solver.threads(), out);
  };
  if (!massless_f.empty()) extend(y, level.g, clouds.source.massless, massless_f);
  if (!massless_g.empty()) {
    std::vector<double> all_f = level.f;
    all_f.insert(all_f.end(), massless_f.begin(), massless_f.end());
    extend(joined(x, clouds.source.massless), all_f, clouds.target.massless, massless_g);
  }
  result.source_potential =
      user_potentials(clouds.source, level.f, massless_f, clouds.cost_exponent);
  result.target_potential =
      user_potentials(clouds.target, level.g, massless_g, clouds.cost_exponent);
  return result;
}

}  // namespace

TransportResult solve_exact(const PointProblem& problem, const ExactOptions& options) {
  problem.validate();
  options.validate();
  const MatrixView &x = problem.source.points, &y = problem.target.points;
  if (options.warm_start != nullptr) check_warm_start(*options.warm_start, x.rows(), y.rows());
  if (x.cols() == 1) return solve_one_dimensional(problem);
  const std::optional<MergedProblem> merged = merge_copies(problem);
  if (!merged) return solve_distinct(problem, options);

  ExactOptions merged_options = options;
  TransportResult warm;
  if (options.warm_start != nullptr) {
    warm = merged->contract(*options.warm_start);
    merged_options.warm_start = &warm;
  }
  return merged->expand(solve_distinct(merged->view(), merged_options));
}

}  // namespace nw::ot
