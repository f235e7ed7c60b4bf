#include "nw/ot/one_dimensional.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/certificate.hpp"

namespace nw::ot {
namespace {

using oracle::is_optimal;

constexpr GroundCost kCosts[] = {GroundCost::euclidean, GroundCost::squared_euclidean};
// The closed form owes us rounding only.
constexpr oracle::Tolerance kTight{.marginal = 1e-15, .gap = 1e-14, .feasibility = 1e-14};

struct Clouds {
  Matrix x, y;
  std::vector<double> a, b;
  [[nodiscard]] PointProblem problem(GroundCost cost) const { return {{x, a}, {y, b}, cost}; }
};

// `levels` > 0 rounds to that many distinct values, which makes ties.
Clouds random_clouds(Rng& rng, std::size_t n, std::size_t m, bool weighted, int levels) {
  const auto draw = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) {
      value = levels > 0 ? static_cast<double>(rng.below(static_cast<std::uint64_t>(levels)))
                         : rng.normal();
    }
    return Matrix(std::move(values), count, 1);
  };
  const auto weights = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = rng.below(4) == 0 ? 0.0 : rng.uniform();
    values[static_cast<std::size_t>(rng.below(count))] = 1.0;
    return values;
  };
  Clouds clouds{draw(n), draw(m), {}, {}};
  if (weighted) clouds.a = weights(n), clouds.b = weights(m);
  return clouds;
}

TEST(SolveOneDimensional, EqualsMinCostFlowAndCarriesItsCertificate) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(rng.below(12));
    const std::size_t m = 1 + static_cast<std::size_t>(rng.below(12));
    const Clouds clouds = random_clouds(rng, n, m, trial % 2 == 0, trial % 3 == 0 ? 4 : 0);
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      const auto result = solve_one_dimensional(problem);
      ASSERT_TRUE(is_optimal(result, problem, kTight)) << "trial " << trial;
      const double expected = oracle::min_cost_flow(
          oracle::cost_matrix(problem), oracle::masses(clouds.a, n), oracle::masses(clouds.b, m));
      ASSERT_NEAR(result.cost, expected, 1e-12 * (1.0 + expected)) << "trial " << trial;
    }
  }
}

TEST(SolveOneDimensional, IsOptimalForLargerCloudsWithTiesAndZeroWeights) {
  Rng rng(2);
  for (int trial = 0; trial < 24; ++trial) {
    const Clouds clouds = random_clouds(rng, 200 + rng.below(200), 200 + rng.below(200),
                                        trial % 2 == 0, trial % 3 == 0 ? 10 : 0);
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      EXPECT_TRUE(is_optimal(solve_one_dimensional(problem), problem, kTight)) << trial;
    }
  }
}

// W1 is the area between the distribution functions.
TEST(SolveOneDimensional, W1IsTheAreaBetweenTheDistributionFunctionsOfALargeSample) {
  Rng rng(3);
  const Clouds clouds = random_clouds(rng, 100'000, 70'001, true, 0);
  const auto a = oracle::masses(clouds.a, 100'000), b = oracle::masses(clouds.b, 70'001);
  std::map<double, long double> jumps;
  for (std::size_t i = 0; i < a.size(); ++i) jumps[clouds.x(i, 0)] += a[i];
  for (std::size_t j = 0; j < b.size(); ++j) jumps[clouds.y(j, 0)] -= b[j];
  long double area = 0.0L, height = 0.0L;
  for (auto it = jumps.begin(); std::next(it) != jumps.end(); ++it) {
    height += it->second;
    area += std::abs(height) * (std::next(it)->first - it->first);
  }
  const auto result = solve_one_dimensional(clouds.problem(GroundCost::euclidean));
  EXPECT_NEAR(result.cost, static_cast<double>(area), 1e-13);
  EXPECT_LE(std::abs(result.gap()), 1e-15 * 10);
}

TEST(SolveOneDimensional, TranslationCostsExactlyTheShift) {
  Rng rng(4);
  std::vector<double> x(1001), y;
  for (double& value : x) value = std::round(rng.normal() * 1024);
  for (const double value : x) y.push_back(value + 96);
  rng.shuffle(std::span(y));
  const Matrix source(x, x.size(), 1), target(y, y.size(), 1);
  const auto w1 = solve_one_dimensional({{source, {}}, {target, {}}, GroundCost::euclidean});
  const auto w2 =
      solve_one_dimensional({{source, {}}, {target, {}}, GroundCost::squared_euclidean});
  EXPECT_DOUBLE_EQ(w1.cost, 96.0);
  EXPECT_DOUBLE_EQ(w2.cost, 96.0 * 96.0);
  EXPECT_NEAR(w2.gap(), 0.0, 1e-11);
}

TEST(SolveOneDimensional, HasTheSameRelativeAnswerAtEveryScale) {
  Rng rng(5);
  const Clouds clouds = random_clouds(rng, 50, 61, true, 0);
  for (const GroundCost cost : kCosts) {
    const auto reference = solve_one_dimensional(clouds.problem(cost));
    for (const int exponent : {-498, -300, 300, 498}) {  // 2^498 is about 1e150
      Clouds scaled = clouds;
      for (double& value : scaled.x.values()) value = std::ldexp(value, exponent);
      for (double& value : scaled.y.values()) value = std::ldexp(value, exponent);
      const auto result = solve_one_dimensional(scaled.problem(cost));
      const int cost_exponent = cost == GroundCost::euclidean ? exponent : 2 * exponent;
      EXPECT_EQ(result.cost, std::ldexp(reference.cost, cost_exponent));
      EXPECT_EQ(result.plan, reference.plan);
      EXPECT_NEAR(std::ldexp(result.gap(), -cost_exponent), 0.0, 1e-15 * 10);
    }
  }
}

TEST(SolveOneDimensional, KeepsAllMassWhenOneHeavyPointMeetsManyLightOnes) {
  const std::size_t light = 200'000;
  std::vector<double> x(light + 1), a(light + 1, 1e-3 / 3.0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 1000);
  a[0] = 1e6;
  const Matrix source(x, x.size(), 1), target(1, 1, 0.5);
  for (const bool swapped : {false, true}) {
    PointProblem problem{{source, a}, {target, {}}, GroundCost::euclidean};
    if (swapped) std::swap(problem.source, problem.target);
    const auto result = solve_one_dimensional(problem);
    const double total = 1e6 + static_cast<double>(light) * (1e-3 / 3.0);
    ASSERT_EQ(result.plan.size(), light + 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(result.plan[i].mass, a[i] / total, 5e-16);
    }
    EXPECT_NEAR(result.gap(), 0.0, 1e-13);
  }
}

TEST(SolveOneDimensional, AllPointsEqualCostNothing) {
  const Matrix x(7, 1, 3.25), y(4, 1, 3.25);
  for (const GroundCost cost : kCosts) {
    const PointProblem problem{{x, {}}, {y, {}}, cost};
    const auto result = solve_one_dimensional(problem);
    EXPECT_EQ(result.cost, 0.0);
    EXPECT_TRUE(is_optimal(result, problem, kTight));
  }
}

TEST(SolveOneDimensional, RejectsPointsOfThePlane) {
  const Matrix x(2, 2);
  EXPECT_THROW(
      {
        try {
          (void)solve_one_dimensional({{x, {}}, {x, {}}, GroundCost::euclidean});
        } catch (const InvalidArgument& error) {
          EXPECT_THAT(error.what(), ::testing::HasSubstr("2 coordinates, expected 1"));
          throw;
        }
      },
      InvalidArgument);
}

}  // namespace
}  // namespace nw::ot
