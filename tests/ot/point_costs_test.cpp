// Searches over all pairs of points, against looking at each pair.
#include "ot/point_costs.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "ot/pass_bounds.hpp"

namespace nw::ot {
namespace {

using Pairs = std::set<std::pair<std::int32_t, std::int32_t>>;

PointCloud random_cloud(Rng& rng, std::size_t size, std::size_t dim) {
  PointCloud cloud{.dim = dim,
                   .points = std::vector<double>(size * dim),
                   .mass = std::vector<std::int64_t>(size, 1)};
  for (double& value : cloud.points) value = rng.normal();
  return cloud;
}

double cost_between(const PointCloud& x, std::size_t i, const PointCloud& y, std::size_t j,
                    GroundCost cost) {
  double square = 0.0;
  for (std::size_t k = 0; k < x.dim; ++k) {
    square += (x.row(i)[k] - y.row(j)[k]) * (x.row(i)[k] - y.row(j)[k]);
  }
  return cost == GroundCost::euclidean ? std::sqrt(square) : square;
}

Pairs pairs_of(const std::vector<Arc>& arcs) {
  Pairs pairs;
  for (const Arc& arc : arcs) pairs.emplace(arc.source, arc.target);
  EXPECT_EQ(pairs.size(), arcs.size()) << "an arc was found twice";
  return pairs;
}

/// The `count` smallest of `values` below `limit`.
std::vector<std::int32_t> smallest(const std::vector<double>& values, double limit,
                                   std::size_t count) {
  std::vector<std::int32_t> order;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] < limit) order.push_back(static_cast<std::int32_t>(k));
  }
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
  });
  if (order.size() > count) order.resize(count);
  return order;
}

TEST(PointCosts, FindsTheWorstViolatedArcsOfEachSourceHoweverManyThereAre) {
  Rng rng(11);
  for (const std::size_t dim : std::initializer_list<std::size_t>{2, 20}) {
    const PointCloud x = random_cloud(rng, 150, dim), y = random_cloud(rng, 700, dim);
    std::vector<double> f(x.size()), g(y.size());
    for (double& value : g) value = 0.1 * rng.normal();
    for (const GroundCost cost : {GroundCost::euclidean, GroundCost::squared_euclidean}) {
      // Some sources have hundreds of violated arcs, some a few, some none.
      const double square = 2.0 * static_cast<double>(dim);
      const double typical = cost == GroundCost::euclidean ? std::sqrt(square) : square;
      for (double& value : f) value = typical * (0.3 + 0.9 * rng.uniform());
      for (const auto precision :
           {SearchPrecision::single_precision, SearchPrecision::double_precision}) {
        const auto costs = make_point_costs(x, y, cost, precision, 2);
        for (const std::size_t most : std::initializer_list<std::size_t>{1, 7, 20}) {
          double expected_worst = 0.0;
          const auto [arcs, worst, transform] = costs->violated_arcs(f, g, 0.01, most);
          Pairs expected;
          std::size_t cut_short = 0;
          for (std::size_t i = 0; i < x.size(); ++i) {
            std::vector<double> reduced(y.size());
            for (std::size_t j = 0; j < y.size(); ++j) {
              reduced[j] = cost_between(x, i, y, j, cost) - f[i] - g[j];
            }
            const auto found = smallest(reduced, -0.01, most);
            cut_short += found.size() == most ? 1 : 0;
            for (const std::int32_t j : found) {
              expected.emplace(static_cast<std::int32_t>(i), j);
              expected_worst = std::min(expected_worst, reduced[static_cast<std::size_t>(j)]);
            }
          }
          EXPECT_GT(cut_short, x.size() / 4) << "the test needs more violated arcs";
          EXPECT_EQ(pairs_of(arcs), expected);
          EXPECT_NEAR(worst, expected_worst, 1e-12);
          EXPECT_TRUE(std::ranges::is_sorted(arcs, {}, &Arc::source));
        }
      }
    }
  }
}

TEST(PointCosts, FindsTheSameArcsInManyDimensionsWhetherOrNotItLookedBefore) {
  Rng rng(13);
  const PointCloud x = random_cloud(rng, 200, 24), y = random_cloud(rng, 300, 24);
  for (const GroundCost cost : {GroundCost::euclidean, GroundCost::squared_euclidean}) {
    for (const auto precision :
         {SearchPrecision::single_precision, SearchPrecision::double_precision}) {
      const auto twice = make_point_costs(x, y, cost, precision, 2);
      std::vector<double> f(x.size()), g(y.size(), 0.0);
      twice->transform_to_sources(g, f);
      const double step = cost == GroundCost::euclidean ? 0.2 : 2.0;
      std::size_t found = 0;
      for (std::size_t pass = 0; pass < 8; ++pass) {
        // Violations of some blocks, later of others, and limits on either side of zero.
        for (std::size_t i = 0; i < f.size(); ++i) {
          f[i] += step * (rng.uniform() - 0.4) * static_cast<double>(i / 32 % 3 == pass % 3);
        }
        for (double& value : g) value += 0.1 * step * rng.normal();
        const double tolerance = pass % 2 == 0 ? 1e-9 : -0.3 * step;
        const auto once = make_point_costs(x, y, cost, precision, 2);
        const auto [arcs, worst, transform] = twice->violated_arcs(f, g, tolerance, 300);
        const auto [expected, expected_worst, same] = once->violated_arcs(f, g, tolerance, 300);
        EXPECT_EQ(pairs_of(arcs), pairs_of(expected)) << "pass " << pass;
        EXPECT_EQ(transform, same);
        EXPECT_EQ(worst, expected_worst);
        found += arcs.size();
      }
      EXPECT_GT(found, x.size());
      EXPECT_LT(found, 4 * x.size() * y.size());
    }
  }
}

TEST(PassBounds, FollowWhatPotentialsCanTakeOff) {
  PassBounds bounds;
  std::vector<double> f(40, 1.0), g(70, 2.0);
  ASSERT_TRUE(bounds.follow(f, g));
  EXPECT_LT(bounds.row(0)[2], -1e30F) << "nothing is known at first";
  for (std::size_t b = 0; b < 2; ++b) std::ranges::fill(bounds.row(b), 0.5F);
  f[35] += 0.25;  // second block of the sources
  f[0] -= 10.0;   // one source of the first block falls, others stay
  g[69] += 0.125;
  for (std::size_t j = 32; j < 64; ++j) g[j] -= 1.0;
  ASSERT_TRUE(bounds.follow(f, g));
  const float expected[2][3] = {{0.5F, 1.5F, 0.375F}, {0.25F, 1.25F, 0.125F}};
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(bounds.row(b)[c], expected[b][c], 1e-6F);
      EXPECT_LE(bounds.row(b)[c], expected[b][c]);
    }
  }
}

TEST(PointCosts, FindsTheCandidatesOfBothSidesOnceAndInOrder) {
  Rng rng(12);
  const PointCloud x = random_cloud(rng, 130, 2), y = random_cloud(rng, 90, 2);
  for (const GroundCost cost : {GroundCost::euclidean, GroundCost::squared_euclidean}) {
    const auto costs = make_point_costs(x, y, cost, SearchPrecision::double_precision, 2);
    std::vector<double> f(x.size()), g(y.size());
    for (double& value : g) value = 0.1 * rng.normal();
    costs->transform_to_sources(g, f);
    costs->transform_to_targets(f, g);
    for (const ArcQuota quota : {ArcQuota{5, 3}, ArcQuota{1, 200}, ArcQuota{200, 200}}) {
      const std::vector<Arc> arcs = costs->best_arcs(f, g, quota);
      Pairs expected;
      for (std::size_t i = 0; i < x.size(); ++i) {
        std::vector<double> reduced(y.size());
        for (std::size_t j = 0; j < y.size(); ++j) {
          reduced[j] = cost_between(x, i, y, j, cost) - f[i] - g[j];
        }
        for (const std::int32_t j : smallest(reduced, HUGE_VAL, quota.per_source)) {
          expected.emplace(static_cast<std::int32_t>(i), j);
        }
      }
      for (std::size_t j = 0; j < y.size(); ++j) {
        std::vector<double> reduced(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
          reduced[i] = cost_between(x, i, y, j, cost) - f[i] - g[j];
        }
        for (const std::int32_t i : smallest(reduced, HUGE_VAL, quota.per_target)) {
          expected.emplace(i, static_cast<std::int32_t>(j));
        }
      }
      EXPECT_EQ(pairs_of(arcs), expected);
      EXPECT_TRUE(std::ranges::is_sorted(arcs, [](const Arc& a, const Arc& b) {
        return std::pair(a.source, a.target) < std::pair(b.source, b.target);
      }));
      for (const Arc& arc : arcs) {
        EXPECT_NEAR(arc.cost,
                    cost_between(x, static_cast<std::size_t>(arc.source), y,
                                 static_cast<std::size_t>(arc.target), cost),
                    1e-12);
      }
    }
  }
}

TEST(PointCosts, RaiseTargetsAndSeeTheTransformAsTwoPassesWould) {
  Rng rng(14);
  for (const std::size_t dim : std::initializer_list<std::size_t>{2, 20}) {
    const PointCloud x = random_cloud(rng, 230, dim), y = random_cloud(rng, 170, dim);
    for (const GroundCost cost : {GroundCost::euclidean, GroundCost::squared_euclidean}) {
      for (const auto precision :
           {SearchPrecision::single_precision, SearchPrecision::double_precision}) {
        const auto costs = make_point_costs(x, y, cost, precision, 2);
        std::vector<double> f(x.size()), g(y.size());
        for (double& value : g) value = rng.normal();  // many targets are far from tight
        costs->transform_to_sources(g, f);
        std::vector<double> expected(y.size()), raised = g;
        costs->transform_to_targets(f, expected);
        const auto arcs = costs->raise_targets(f, raised, {5, 3});
        EXPECT_EQ(raised, expected);
        const auto two_passes = costs->best_arcs(f, expected, {5, 3});
        const auto chosen = pairs_of(arcs);
        std::size_t other = 0;  // single precision may order near ones in another way
        for (const auto& pair : pairs_of(two_passes)) other += chosen.contains(pair) ? 0 : 1;
        EXPECT_LE(other, precision == SearchPrecision::double_precision ? 0U : 2U);

        std::vector<double> lower(f), transform(f.size());
        for (double& value : lower) value -= 1e-3;
        costs->transform_to_sources(raised, transform);
        EXPECT_EQ(costs->violated_arcs(transform, raised, 1e-9, 20).transform, transform);
        EXPECT_TRUE(costs->violated_arcs(lower, raised, 1e-9, 20).transform.empty())
            << "nothing is near these limits";
      }
    }
  }
}

}  // namespace
}  // namespace nw::ot
