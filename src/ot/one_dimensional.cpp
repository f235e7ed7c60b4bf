// The monotone coupling of two measures on the line is optimal for every convex cost of the
// difference (Villani, Topics in Optimal Transportation, 2003, section 2.2), so the north-west
// corner rule on the sorted points solves [NW:eq1].
//
// Potentials. The rule visits n + m - 1 cells, each step to the next source or the next target. We
// make all of them tight, f_i + g_j = c(x_i, y_j), which fixes f and g up to a constant. Convex
// costs have the Monge property on sorted points, c(i, j) + c(i+1, j+1) <= c(i+1, j) + c(i, j+1),
// and adding it up between a cell and the staircase gives f_i + g_j <= c(x_i, y_j) everywhere.
// This holds for any staircase, hence points without mass simply take part with a flow of zero.
//
// Accuracy. Coordinates are scaled by a power of two, so squares neither overflow nor vanish;
// remaining masses and potentials are carried in twice the working precision, so neither drifts
// along a staircase of millions of steps.
#include "nw/ot/one_dimensional.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ot/accurate_sum.hpp"
#include "ot/masses.hpp"

namespace nw::ot {
namespace {

struct SortedPoint {
  double position = 0.0;  // scaled
  std::uint32_t index = 0;
};

struct SortedCloud {
  std::vector<SortedPoint> points;
  std::vector<double> mass;  // by original index
  std::size_t last_heavy;    // place in `points` of the last one that has mass

  [[nodiscard]] double position(std::size_t place) const { return points[place].position; }
  [[nodiscard]] std::uint32_t index(std::size_t place) const { return points[place].index; }
  [[nodiscard]] double mass_at(std::size_t place) const { return mass[points[place].index]; }
};

SortedCloud sort_cloud(const WeightedPoints& cloud, int exponent) {
  const auto x = cloud.points.values();
  SortedCloud sorted{std::vector<SortedPoint>(x.size()), normalized_masses(cloud.weights, x.size()),
                     x.size() - 1};
  for (std::size_t i = 0; i < x.size(); ++i) {
    sorted.points[i] = {std::ldexp(x[i], -exponent), static_cast<std::uint32_t>(i)};
  }
  std::sort(sorted.points.begin(), sorted.points.end(),
            [](const SortedPoint& a, const SortedPoint& b) {
              return a.position != b.position ? a.position < b.position : a.index < b.index;
            });
  while (sorted.mass_at(sorted.last_heavy) == 0.0) --sorted.last_heavy;
  return sorted;
}

// e such that all points of both clouds lie within 2^e of each other.
int range_exponent(std::span<const double> x, std::span<const double> y) {
  const auto [x_low, x_high] = std::minmax_element(x.begin(), x.end());
  const auto [y_low, y_high] = std::minmax_element(y.begin(), y.end());
  const double range = std::max(*x_high, *y_high) - std::min(*x_low, *y_low);
  int exponent = 0;
  std::frexp(range, &exponent);
  return exponent;
}

double cost_of(GroundCost cost, double x, double y) {
  const double difference = x - y;
  return cost == GroundCost::euclidean ? std::abs(difference) : difference * difference;
}

// cost(to, fixed) - cost(from, fixed) without the cancellation of subtracting two squares.
double cost_step(GroundCost cost, double from, double to, double fixed) {
  const double before = from - fixed, after = to - fixed;
  if (cost == GroundCost::euclidean) return std::abs(after) - std::abs(before);
  return (to - from) * (before + after);
}

}  // namespace

TransportResult solve_one_dimensional(const PointProblem& problem) {
  problem.validate();
  require(problem.source.points.cols() == 1, "solve_one_dimensional: points have ",
          problem.source.points.cols(), " coordinates, expected 1");
  const int exponent =
      range_exponent(problem.source.points.values(), problem.target.points.values());
  const SortedCloud x = sort_cloud(problem.source, exponent);
  const SortedCloud y = sort_cloud(problem.target, exponent);
  const std::size_t n = x.points.size(), m = y.points.size();

  TransportResult result;
  result.source_potential.resize(n);
  result.target_potential.resize(m);
  result.plan.reserve(n + m - 1);

  AccurateSum total, f(cost_of(problem.cost, x.position(0), y.position(0))), g;
  AccurateSum x_left(x.mass_at(0)), y_left(y.mass_at(0));
  result.source_potential[x.index(0)] = f.value();
  result.target_potential[y.index(0)] = g.value();
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    // The last point with mass takes what rounding left over, so that none of it is lost.
    const bool sources_done = i >= x.last_heavy, targets_done = j >= y.last_heavy;
    bool next_is_source = x_left.value() <= y_left.value();
    double moved = next_is_source ? x_left.value() : y_left.value();
    if (sources_done && targets_done) {
      next_is_source = i + 1 < n;
      const bool last_cell = i == x.last_heavy && j == y.last_heavy;
      moved = last_cell ? std::max(x_left.value(), y_left.value()) : 0.0;
    } else if (sources_done || targets_done) {
      next_is_source = targets_done;
      moved = next_is_source ? x_left.value() : y_left.value();
    }
    if (moved > 0.0) {
      result.plan.push_back({x.index(i), y.index(j), moved});
      total.add(moved * cost_of(problem.cost, x.position(i), y.position(j)));
    }
    if (next_is_source) {
      y_left.subtract(x_left);
      f.add(cost_step(problem.cost, x.position(i), x.position(i + 1), y.position(j)));
      x_left = AccurateSum(x.mass_at(++i));
      result.source_potential[x.index(i)] = f.value();
    } else if (++j < m) {
      x_left.subtract(y_left);
      g.add(cost_step(problem.cost, y.position(j - 1), y.position(j), x.position(i)));
      y_left = AccurateSum(y.mass_at(j));
      result.target_potential[y.index(j)] = g.value();
    }
  }

  std::sort(result.plan.begin(), result.plan.end(), [](const Flow& a, const Flow& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  AccurateSum dual;
  for (std::size_t i = 0; i < n; ++i) dual.add_product(x.mass[i], result.source_potential[i]);
  for (std::size_t j = 0; j < m; ++j) dual.add_product(y.mass[j], result.target_potential[j]);
  const int cost_exponent = problem.cost == GroundCost::euclidean ? exponent : 2 * exponent;
  for (double& value : result.source_potential) value = std::ldexp(value, cost_exponent);
  for (double& value : result.target_potential) value = std::ldexp(value, cost_exponent);
  result.cost = std::ldexp(total.value(), cost_exponent);
  result.dual_objective = std::ldexp(dual.value(), cost_exponent);
  result.termination = Termination::optimal;
  return result;
}

}  // namespace nw::ot
