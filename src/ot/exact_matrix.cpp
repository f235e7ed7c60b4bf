// Exact optimal transport for a general cost matrix: the last level of the solver for points,
// without the coarse ones, since a matrix alone says nothing about neighbours.
#include <algorithm>
#include <cmath>

#include "nw/base/parallel.hpp"
#include "nw/ot/exact.hpp"

#include "ot/integer_masses.hpp"
#include "ot/level_answer.hpp"
#include "ot/matrix_costs.hpp"
#include "ot/warm_start.hpp"

namespace nw::ot {
namespace {

constexpr ArcQuota kQuota{20, 10};

std::vector<std::uint32_t> rows_with_mass(std::span<const std::int64_t> mass) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0) rows.push_back(i);
  }
  return rows;
}

std::vector<std::int64_t> masses_of(std::span<const std::uint32_t> rows,
                                    std::span<const std::int64_t> mass) {
  std::vector<std::int64_t> kept;
  kept.reserve(rows.size());
  for (const std::uint32_t i : rows) kept.push_back(mass[i]);
  return kept;
}

}  // namespace

TransportResult solve_exact(const MatrixProblem& problem, const ExactOptions& options) {
  problem.validate();
  options.validate();
  const MatrixView costs = problem.cost;
  const IntegerMasses masses =
      integer_masses(problem.source_weights, costs.rows(), problem.target_weights, costs.cols());
  const std::vector<std::uint32_t> rows = rows_with_mass(masses.source);
  const std::vector<std::uint32_t> columns = rows_with_mass(masses.target);
  const std::vector<std::int64_t> supply = masses_of(rows, masses.source);
  const std::vector<std::int64_t> demand = masses_of(columns, masses.target);

  double largest = 0.0;
  for (const double value : costs.values()) largest = std::max(largest, std::fabs(value));
  const int exponent = largest > 0.0 ? std::ilogb(largest) + 1 : 0;
  const int threads = resolve_threads(options.threads);
  // Powers of two beyond the range of double are applied by ldexp only, never as a factor.
  const double factor = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
  const int applied = -std::ilogb(factor);

  const LevelProblem level_problem{
      .make_costs =
          [&](SearchPrecision) { return make_matrix_costs(costs, factor, rows, columns, threads); },
      .supply = supply,
      .demand = demand,
      .cost_scale = 1.0,
      .single_precision_error = 0.0,
      .quota = kQuota};
  std::vector<double> g(columns.size(), 0.0);
  std::vector<Arc> first_arcs;
  if (const TransportResult* warm = options.warm_start) {
    check_warm_start(*warm, costs.rows(), costs.cols());
    for (std::size_t j = 0; j < columns.size(); ++j) {
      g[j] = std::ldexp(warm->target_potential[columns[j]], -applied);
    }
  }
  Progress progress(options, 1);
  LevelResult level =
      solve_level(level_problem, std::move(g),
                  {.tolerance = options.tolerance,
                   .relative_tolerance = 0.0,
                   .expected_reduced_cost = 0.0,
                   .cold = options.warm_start == nullptr,
                   .first_arcs = first_arcs,
                   .on_bounds =
                       [&](double cost, double bound) {
                         return progress.note(std::ldexp(cost, applied), std::ldexp(bound, applied),
                                              options.gap);
                       },
                   .gap = options.gap},
                  progress.budget);
  level.costs->transform_to_sources(level.g, level.f);

  TransportResult result = make_answer(level, masses.total, supply, demand, rows, columns);
  result.pivots = progress.budget.pivots();
  result.history = std::move(progress.history);
  result.cost = std::ldexp(result.cost, applied);
  result.dual_objective = std::ldexp(result.dual_objective, applied);

  // Points without mass get the largest potentials that stay feasible: sources against the targets
  // with mass, then targets against all sources.
  const auto cost_at = [&](std::size_t i, std::size_t j) { return factor * costs(i, j); };
  std::vector<double> f(costs.rows(), HUGE_VAL), all_g(costs.cols(), HUGE_VAL);
  for (std::size_t i = 0; i < rows.size(); ++i) f[rows[i]] = level.f[i];
  for (std::size_t j = 0; j < columns.size(); ++j) all_g[columns[j]] = level.g[j];
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (masses.source[i] > 0) continue;
    for (const std::uint32_t j : columns) f[i] = std::min(f[i], cost_at(i, j) - all_g[j]);
  }
  for (std::size_t j = 0; j < all_g.size(); ++j) {
    if (masses.target[j] > 0) continue;
    for (std::size_t i = 0; i < f.size(); ++i) all_g[j] = std::min(all_g[j], cost_at(i, j) - f[i]);
  }
  for (double& value : f) value = std::ldexp(value, applied);
  for (double& value : all_g) value = std::ldexp(value, applied);
  result.source_potential = std::move(f);
  result.target_potential = std::move(all_g);
  return result;
}

}  // namespace nw::ot
