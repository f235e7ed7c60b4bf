#include "nw/ot/sinkhorn.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/brute_force.hpp"
#include "oracle/pot.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

using oracle::Clouds;
using oracle::normal_points;

constexpr GroundCost kCosts[] = {GroundCost::euclidean, GroundCost::squared_euclidean};

Clouds random_clouds(Rng& rng, std::size_t n, std::size_t m, std::size_t d) {
  return {normal_points(rng, n, d), normal_points(rng, m, d), {}, {}};
}

double optimum(const PointProblem& problem) {
  return oracle::min_cost_flow(
      oracle::cost_matrix(problem),
      oracle::masses(problem.source.weights, problem.source.points.rows()),
      oracle::masses(problem.target.weights, problem.target.points.rows()));
}

// How far the potentials exceed the costs, at most.
double infeasibility(const SinkhornResult& result, const PointProblem& problem) {
  const Matrix cost = oracle::cost_matrix(problem);
  double worst = 0.0;
  for (std::size_t i = 0; i < cost.rows(); ++i) {
    for (std::size_t j = 0; j < cost.values().size() / cost.rows(); ++j) {
      worst = std::max(worst, result.source_potential[i] + result.target_potential[j] - cost(i, j));
    }
  }
  return worst;
}

TEST(SolveSinkhorn, EqualsPotOnTheSameRegularisation) {
  Rng rng(1);
  oracle::Pot pot;
  std::vector<double> ours;
  for (int trial = 0; trial < 16; ++trial) {
    Clouds clouds = random_clouds(rng, oracle::size_between(rng, 1, 40),
                                  oracle::size_between(rng, 1, 40), 1 + trial % 5);
    if (trial % 2 == 0) {
      // Not zero: POT takes the logarithm of the weights.
      for (std::size_t i = 0; i < clouds.x.rows(); ++i) clouds.a.push_back(0.1 + rng.uniform());
      for (std::size_t j = 0; j < clouds.y.rows(); ++j) clouds.b.push_back(0.1 + rng.uniform());
    }
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      const auto result =
          solve_sinkhorn(problem, {.epsilon = trial % 3 == 0 ? 0.03 : 0.2, .tolerance = 1e-10});
      ASSERT_TRUE(result.converged()) << trial;
      ours.push_back(result.transport_cost);
      pot.sinkhorn(problem, result.epsilon);
    }
  }
  const auto theirs = pot.answers();
  if (!theirs) GTEST_SKIP() << "python3-pot is not installed";
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i], (*theirs)[i], 1e-7 * (1.0 + ours[i])) << i;
  }
}

// Normal variables of variance s and t have the entropic plan with covariance c, where
// 2 (s t - c^2) = epsilon c: set the derivative of s + t - 2 c - epsilon / 2 log(1 - c^2 / (s t))
// to zero. Sums over a fine grid agree with the integrals to rounding.
TEST(SolveSinkhorn, HasTheClosedFormOfNormalVariables) {
  const double s = 1.0, t = 2.25;
  std::vector<double> grid(401), a(401), b(401);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    grid[i] = -12.0 + 0.06 * static_cast<double>(i);
    a[i] = std::exp(-grid[i] * grid[i] / (2 * s));
    b[i] = std::exp(-grid[i] * grid[i] / (2 * t));
  }
  const Matrix points(grid, grid.size(), 1);
  const auto result = solve_sinkhorn({{points, a}, {points, b}, GroundCost::squared_euclidean},
                                     {.epsilon = 0.1, .tolerance = 1e-12});
  ASSERT_TRUE(result.converged());
  const double epsilon = result.epsilon;
  EXPECT_NEAR(epsilon, 0.1 * (s + t), 1e-9);
  const double c = (std::sqrt(epsilon * epsilon + 16 * s * t) - epsilon) / 4;
  const double cost = s + t - 2 * c;
  EXPECT_NEAR(result.transport_cost, cost, 1e-9);
  EXPECT_NEAR(result.entropic_objective, cost - epsilon / 2 * std::log(1 - c * c / (s * t)), 1e-9);
}

TEST(SolveSinkhorn, BoundsEncloseTheTransportCostWhetherItConvergesOrNot) {
  Rng rng(2);
  for (int trial = 0; trial < 30; ++trial) {
    Clouds clouds =
        random_clouds(rng, oracle::size_between(rng, 1, 15), oracle::size_between(rng, 1, 15), 2);
    clouds.a = oracle::random_weights(rng, clouds.x.rows());
    clouds.b = oracle::random_weights(rng, clouds.y.rows());
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      const double exact = optimum(problem);
      for (const int iterations : {1, 3, 5000}) {
        const auto result =
            solve_sinkhorn(problem, {.tolerance = 1e-7, .max_iterations = iterations});
        EXPECT_LE(result.lower_bound, exact + 1e-12) << trial << " " << iterations;
        EXPECT_GE(result.upper_bound, exact - 1e-12) << trial << " " << iterations;
        EXPECT_LE(infeasibility(result, problem), 1e-13);
        if (iterations < 5000) continue;
        ASSERT_TRUE(result.converged()) << trial;
        EXPECT_LE(result.gap(), 0.1 * exact + 1e-12) << trial;
      }
    }
  }
}

TEST(SolveSinkhorn, ApproachesTheTransportCostAsEpsilonFalls) {
  Rng rng(3);
  const Clouds clouds = random_clouds(rng, 60, 50, 2);
  for (const GroundCost cost : kCosts) {
    const PointProblem problem = clouds.problem(cost);
    double last_gap = std::numeric_limits<double>::infinity();
    for (const double epsilon : {0.1, 0.01, 0.001}) {
      const auto result = solve_sinkhorn(problem, {.epsilon = epsilon});
      ASSERT_TRUE(result.converged());
      EXPECT_LT(result.gap(), 0.5 * last_gap);
      last_gap = result.gap();
    }
    EXPECT_LT(last_gap, 0.01 * optimum(problem));
  }
}

TEST(SolveSinkhorn, DivergenceOfATranslatedCloudIsTheSquaredShift) {
  Rng rng(4);
  Clouds clouds = random_clouds(rng, 70, 70, 3);
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t k = 0; k < 3; ++k) clouds.y(i, k) = clouds.x(i, k) + 0.5;
  }
  for (const double epsilon : {0.05, 0.3}) {
    const auto result = solve_sinkhorn(clouds.problem(GroundCost::squared_euclidean),
                                       {.epsilon = epsilon, .tolerance = 1e-6, .debiased = true});
    ASSERT_TRUE(result.converged());
    EXPECT_NEAR(result.divergence.value(), 0.75, 1e-7);
  }
}

TEST(SolveSinkhorn, DivergenceOfEqualCloudsIsZeroWhereTheEntropicCostIsNot) {
  Rng rng(5);
  const Matrix x = normal_points(rng, 50, 2);
  for (const GroundCost cost : kCosts) {
    const auto result =
        solve_sinkhorn({{x, {}}, {x, {}}, cost}, {.tolerance = 1e-6, .debiased = true});
    ASSERT_TRUE(result.converged());
    EXPECT_NEAR(result.divergence.value(), 0.0, 1e-7);
    EXPECT_GT(result.transport_cost, 1e-4);
  }
}

TEST(SolveSinkhorn, SaysThatItDidNotConvergeWhenIterationsRunOut) {
  Rng rng(6);
  const Clouds clouds = random_clouds(rng, 30, 30, 2);
  const auto result = solve_sinkhorn(clouds.problem(GroundCost::euclidean),
                                     {.epsilon = 1e-3, .max_iterations = 4, .debiased = true});
  EXPECT_EQ(result.stop, SinkhornStop::iteration_limit);
  EXPECT_FALSE(result.converged());
  EXPECT_EQ(result.iterations, 4);
  EXPECT_GT(result.marginal_error, 1e-5);
  EXPECT_FALSE(result.divergence.has_value());
}

TEST(SolveSinkhorn, StopsWhenTheObserverSaysSo) {
  Rng rng(7);
  const Clouds clouds = random_clouds(rng, 30, 30, 2);
  int calls = 0;
  const auto result = solve_sinkhorn(clouds.problem(GroundCost::euclidean),
                                     {.epsilon = 1e-3, .observer = [&](const SinkhornProgress& p) {
                                        EXPECT_EQ(p.iterations, ++calls);
                                        return calls < 3;
                                      }});
  EXPECT_EQ(result.stop, SinkhornStop::interrupted);
  EXPECT_EQ(result.iterations, 3);
}

TEST(SolveSinkhorn, GivesTheSameBitsForEveryThreadCount) {
  Rng rng(8);
  Clouds clouds = random_clouds(rng, 131, 97, 3);
  clouds.a = oracle::random_weights(rng, 131);
  const auto solve = [&](int threads) {
    return solve_sinkhorn(clouds.problem(GroundCost::euclidean),
                          {.debiased = true, .threads = threads});
  };
  const auto reference = solve(1);
  for (const int threads : {2, 3, 4}) {
    const auto result = solve(threads);
    EXPECT_EQ(result.transport_cost, reference.transport_cost);
    EXPECT_EQ(result.upper_bound, reference.upper_bound);
    EXPECT_EQ(result.divergence, reference.divergence);
    EXPECT_EQ(result.source_potential, reference.source_potential);
    EXPECT_EQ(result.target_potential, reference.target_potential);
  }
}

TEST(SolveSinkhorn, ScalesWithTheCoordinatesFrom1eMinus150To1e150) {
  Rng rng(9);
  const Clouds clouds = random_clouds(rng, 20, 30, 2);
  for (const GroundCost cost : kCosts) {
    const auto reference = solve_sinkhorn(clouds.problem(cost));
    for (const int exponent : {-498, 498}) {
      Clouds scaled = clouds;
      oracle::scale_by_power_of_two(scaled.x, exponent);
      oracle::scale_by_power_of_two(scaled.y, exponent);
      const auto result = solve_sinkhorn(scaled.problem(cost));
      const int power = cost == GroundCost::euclidean ? exponent : 2 * exponent;
      EXPECT_EQ(result.transport_cost, std::ldexp(reference.transport_cost, power));
      EXPECT_EQ(result.lower_bound, std::ldexp(reference.lower_bound, power));
      EXPECT_EQ(result.iterations, reference.iterations);
    }
  }
}

TEST(SolveSinkhorn, AgreesWithTheUnshiftedProblemWhenBothCloudsAreFarFromTheOrigin) {
  Rng rng(10);
  Clouds clouds = random_clouds(rng, 25, 25, 2);
  for (Matrix* points : {&clouds.x, &clouds.y}) {
    for (double& value : points->values()) value = std::ldexp(std::round(value * 1024), -10);
  }
  Clouds far = clouds;
  for (Matrix* points : {&far.x, &far.y}) {
    for (double& value : points->values()) value += 1048576.0;
  }
  const auto near_result = solve_sinkhorn(clouds.problem(GroundCost::squared_euclidean));
  const auto far_result = solve_sinkhorn(far.problem(GroundCost::squared_euclidean));
  EXPECT_EQ(far_result.transport_cost, near_result.transport_cost);
}

TEST(SolveSinkhorn, CostsNothingWhenAllPointsAreEqual) {
  const Matrix x(5, 2, 1.5), y(3, 2, 1.5);
  for (const GroundCost cost : kCosts) {
    const auto result = solve_sinkhorn({{x, {}}, {y, {}}, cost}, {.debiased = true});
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.transport_cost, 0.0);
    EXPECT_EQ(result.upper_bound, 0.0);
    EXPECT_EQ(result.lower_bound, 0.0);
    EXPECT_NEAR(result.divergence.value(), 0.0, 1e-15);
  }
}

TEST(SinkhornOptions, NamesTheFieldOutOfRange) {
  const auto message = [](const SinkhornOptions& options) -> std::string {
    try {
      options.validate();
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_THAT(message({.epsilon = 0.0}), ::testing::HasSubstr("SinkhornOptions.epsilon"));
  EXPECT_THAT(message({.tolerance = 1.0}), ::testing::HasSubstr("tolerance must lie in (0, 1)"));
  EXPECT_THAT(message({.max_iterations = 0}), ::testing::HasSubstr("got 0"));
  EXPECT_THAT(message({.scaling = 1.0}), ::testing::HasSubstr("SinkhornOptions.scaling"));
}

}  // namespace
}  // namespace nw::ot
