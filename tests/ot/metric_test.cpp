// Other costs than the Euclidean ones, and transport that may leave mass, against their
// definitions.
#include "nw/ot/metric.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/certificate.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

double distance(Metric metric, std::span<const double> x, std::span<const double> y) {
  double sum = 0.0, largest = 0.0, square = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double difference = std::fabs(x[k] - y[k]);
    sum += difference;
    largest = std::max(largest, difference);
    square += difference * difference;
    xx += x[k] * x[k], yy += y[k] * y[k], xy += x[k] * y[k];
  }
  switch (metric) {
    case Metric::cityblock:
      return sum;
    case Metric::chebyshev:
      return largest;
    case Metric::cosine:
      return 1.0 - xy / std::sqrt(xx * yy);
    case Metric::euclidean:
      break;
  }
  return std::sqrt(square);
}

Matrix costs_between(const Matrix& x, const Matrix& y, Metric metric, double exponent) {
  Matrix costs(x.rows(), y.rows());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < y.rows(); ++j) {
      costs(i, j) = std::pow(std::max(distance(metric, x.row(i), y.row(j)), 0.0), exponent);
    }
  }
  return costs;
}

TEST(SolveMetric, IsOptimalForTheCostsOfItsDefinition) {
  Rng rng(31);
  for (int round = 0; round < 12; ++round) {
    const std::size_t n = oracle::size_between(rng, 2, 14), m = oracle::size_between(rng, 2, 14);
    const std::size_t d = oracle::size_between(rng, 2, 5);
    const Matrix x = oracle::normal_points(rng, n, d), y = oracle::normal_points(rng, m, d);
    const auto a = oracle::random_weights(rng, n), b = oracle::random_weights(rng, m);
    const auto left = oracle::masses(a, n), room = oracle::masses(b, m);
    for (const Metric metric :
         {Metric::euclidean, Metric::cityblock, Metric::chebyshev, Metric::cosine}) {
      for (const double exponent : {1.0, 1.5, 2.0}) {
        const Matrix costs = costs_between(x, y, metric, exponent);
        const TransportResult result =
            solve_metric({x, a}, {y, b}, {.metric = metric, .exponent = exponent});
        EXPECT_TRUE(oracle::is_optimal(result, costs, left, room, {.feasibility = 1e-9}))
            << to_string(metric) << " to the power " << exponent;
        EXPECT_NEAR(result.cost, oracle::min_cost_flow(costs, left, room), 1e-9);
      }
    }
  }
}

TEST(SolveMetric, TakesAPrecisionForTheQuadraticFormItIs) {
  Rng rng(32);
  const std::size_t n = 9, m = 11;
  const Matrix x = oracle::normal_points(rng, n, 2), y = oracle::normal_points(rng, m, 2);
  const Matrix precision({2.0, 0.6, 0.6, 0.5}, 2, 2);
  for (const double exponent : {1.0, 1.5, 2.0}) {
    Matrix costs(n, m);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        const double u = x(i, 0) - y(j, 0), v = x(i, 1) - y(j, 1);
        costs(i, j) = std::pow(2.0 * u * u + 1.2 * u * v + 0.5 * v * v, 0.5 * exponent);
      }
    }
    const TransportResult result =
        solve_metric({x, {}}, {y, {}}, {.exponent = exponent, .precision = precision});
    const auto left = oracle::masses({}, n), room = oracle::masses({}, m);
    EXPECT_NEAR(result.cost, oracle::min_cost_flow(costs, left, room), 1e-10);
    EXPECT_TRUE(oracle::is_optimal(result, costs, left, room, {.feasibility = 1e-9}));
  }
}

/// The cheapest way to move some of `left` units, one a source, to different targets: every choice
/// of a target or of none for each source.
double best_partial(MatrixView costs, double price, std::size_t source, std::vector<bool>& taken) {
  if (source == costs.rows()) {
    return price * static_cast<double>(std::ranges::count(taken, false));
  }
  double best = price + best_partial(costs, price, source + 1, taken);
  for (std::size_t j = 0; j < costs.cols(); ++j) {
    if (taken[j]) continue;
    taken[j] = true;
    best = std::min(best, costs(source, j) + best_partial(costs, price, source + 1, taken));
    taken[j] = false;
  }
  return best;
}

TEST(SolvePartial, CostsWhatTheBestOfAllChoicesCosts) {
  Rng rng(33);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = oracle::size_between(rng, 1, 5), m = oracle::size_between(rng, 1, 5);
    Matrix costs(n, m);
    for (double& value : costs.values()) value = 4.0 * rng.uniform() - 0.5;
    const double price = 1.5 * rng.uniform();
    const std::vector<double> a(n, 1.0), b(m, 1.0);
    std::vector<bool> taken(m, false);
    const double best = best_partial(costs, price, 0, taken);
    const PartialResult result = solve_partial({costs, a, b}, price);
    EXPECT_NEAR(result.transport.cost, best, 1e-10) << n << " x " << m << ", price " << price;
    EXPECT_NEAR(result.transport.dual_objective, best, 1e-10);
    double moved = 0.0, paid = 0.0;
    for (const Flow& flow : result.transport.plan) {
      moved += flow.mass;
      paid += flow.mass * costs(flow.source, flow.target);
    }
    EXPECT_NEAR(result.moved, moved, 1e-12);
    EXPECT_NEAR(result.left_at_source, static_cast<double>(n) - moved, 1e-12);
    EXPECT_NEAR(result.left_at_target, static_cast<double>(m) - moved, 1e-12);
    EXPECT_NEAR(paid + price * (result.left_at_source + result.left_at_target), best, 1e-10);
  }
}

TEST(SolvePartial, ProvesItsCostByPotentialsUpToThePrice) {
  Rng rng(34);
  for (const double price : {0.0, 0.3, 1.0, 5.0}) {
    const std::size_t n = 17, m = 23;
    Matrix costs(n, m);
    for (double& value : costs.values()) value = 2.0 * rng.uniform();
    std::vector<double> a(n), b(m);  // of totals that differ
    for (auto* side : {&a, &b}) {
      for (double& value : *side) value = rng.uniform();
    }
    const PartialResult result = solve_partial({costs, a, b}, price);
    const std::vector<double>&f = result.transport.source_potential,
          &g = result.transport.target_potential;
    double dual = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LE(f[i], price + 1e-12);
      dual += a[i] * f[i];
      for (std::size_t j = 0; j < m; ++j) EXPECT_LE(f[i] + g[j], costs(i, j) + 1e-12);
    }
    for (std::size_t j = 0; j < m; ++j) {
      EXPECT_LE(g[j], price + 1e-12);
      dual += b[j] * g[j];
    }
    EXPECT_NEAR(dual, result.transport.cost, 1e-10);
  }
}

TEST(SolvePartial, BetweenCloudsIsThatOfTheirCosts) {
  Rng rng(35);
  const std::size_t n = 12, m = 9;
  const Matrix x = oracle::normal_points(rng, n, 3), y = oracle::normal_points(rng, m, 3);
  for (const Metric metric :
       {Metric::euclidean, Metric::cityblock, Metric::chebyshev, Metric::cosine}) {
    const MetricOptions options{.metric = metric, .exponent = 1.5};
    const Matrix expected = costs_between(x, y, metric, 1.5);
    const Matrix costs = metric_costs({x, {}}, {y, {}}, options);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) EXPECT_NEAR(costs(i, j), expected(i, j), 1e-9);
    }
    const PartialResult result = solve_partial({x, {}}, {y, {}}, 0.8, options);
    const double alone = solve_partial({.cost = expected}, 0.8).transport.cost;
    EXPECT_NEAR(result.transport.cost, alone, 1e-9) << to_string(metric);
    EXPECT_NEAR(result.moved + result.left_at_source, 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace nw::ot
