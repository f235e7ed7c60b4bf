#include "nw/ot/wasserstein.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/brute_force.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

using oracle::Clouds;
using oracle::normal_points;
using ::testing::HasSubstr;

Clouds random_clouds(std::uint64_t seed, std::size_t n, std::size_t m, std::size_t d) {
  Rng rng(seed);
  return {normal_points(rng, n, d), normal_points(rng, m, d), {}, {}};
}

double optimum(const PointProblem& problem) {
  return oracle::min_cost_flow(oracle::cost_matrix(problem),
                               oracle::masses({}, problem.source.points.rows()),
                               oracle::masses({}, problem.target.points.rows()));
}

TEST(Wasserstein, IsTheRootOfTheOptimalCostAndSaysThatItIsExact) {
  const Clouds clouds = random_clouds(1, 12, 9, 3);
  for (const int p : {1, 2}) {
    const auto result = wasserstein({clouds.x, {}}, {clouds.y, {}}, {.p = p});
    const double expected =
        optimum(clouds.problem(p == 1 ? GroundCost::euclidean : GroundCost::squared_euclidean));
    EXPECT_NEAR(result.distance, std::pow(expected, 1.0 / p), 1e-12);
    EXPECT_NEAR(result.primal, expected, 1e-12);
    EXPECT_NEAR(result.gap(), 0.0, 1e-12);
    EXPECT_EQ(result.method, WassersteinMethod::exact);
    EXPECT_TRUE(result.converged);
    EXPECT_TRUE(result.exact);
    EXPECT_THAT(result.reason, HasSubstr("12 x 9 points in dimension 3"));
    EXPECT_FALSE(result.transport.plan.empty());
  }
}

TEST(Wasserstein, UsesTheClosedFormOnTheLine) {
  const Clouds clouds = random_clouds(2, 12, 9, 1);
  const auto result = wasserstein({clouds.x, {}}, {clouds.y, {}}, {.p = 2});
  EXPECT_NEAR(result.primal, optimum(clouds.problem(GroundCost::squared_euclidean)), 1e-12);
  EXPECT_THAT(result.reason, HasSubstr("closed form on the line"));
  EXPECT_TRUE(result.exact);
}

TEST(Wasserstein, IsAMetricOnTranslations) {
  const Clouds clouds = random_clouds(3, 40, 40, 2);
  Matrix shifted = clouds.x;
  for (std::size_t i = 0; i < 40; ++i) shifted(i, 0) += 3.0, shifted(i, 1) += 4.0;
  for (const int p : {1, 2}) {
    const WassersteinOptions options{.p = p};
    EXPECT_NEAR(wasserstein({clouds.x, {}}, {shifted, {}}, options).distance, 5.0, 1e-12);
    EXPECT_NEAR(wasserstein({clouds.x, {}}, {clouds.x, {}}, options).distance, 0.0, 1e-12);
  }
}

TEST(Wasserstein, EveryMethodEnclosesTheSameOptimum) {
  const Clouds clouds = random_clouds(4, 60, 50, 2);
  for (const int p : {1, 2}) {
    const auto solve = [&](WassersteinMethod method) {
      return wasserstein({clouds.x, {}}, {clouds.y, {}}, {.p = p, .method = method, .seed = 5});
    };
    const auto exact = solve(WassersteinMethod::exact);
    for (const auto method : {WassersteinMethod::sinkhorn, WassersteinMethod::sliced}) {
      const auto result = solve(method);
      EXPECT_EQ(result.method, method);
      EXPECT_FALSE(result.exact);
      EXPECT_LE(result.dual, exact.primal + 1e-12);
      EXPECT_GE(result.primal, exact.primal - 1e-12);
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.marginal_error.has_value(), method == WassersteinMethod::sinkhorn);
      EXPECT_EQ(result.standard_error.has_value(), method == WassersteinMethod::sliced);
    }
    EXPECT_LT(solve(WassersteinMethod::sliced).distance, exact.distance);
  }
}

TEST(Wasserstein, DebiasedSinkhornIsNearZeroForEqualClouds) {
  const Clouds clouds = random_clouds(6, 50, 50, 2);
  WassersteinOptions options{.p = 2, .method = WassersteinMethod::sinkhorn};
  options.sinkhorn.debiased = true;
  EXPECT_LT(wasserstein({clouds.x, {}}, {clouds.x, {}}, options).distance, 1e-2);
  options.sinkhorn.debiased = false;
  EXPECT_GT(wasserstein({clouds.x, {}}, {clouds.x, {}}, options).distance, 1e-2);
}

TEST(Wasserstein, LeavesTheExactSolverWhenItIsPredictedToTakeTooLong) {
  const Clouds clouds = random_clouds(7, 300, 300, 2);
  WassersteinOptions options;
  const PointProblem problem = clouds.problem(GroundCost::euclidean);
  options.time_limit = 0.9 * predicted_seconds(WassersteinMethod::exact, problem);
  const auto sliced = wasserstein({clouds.x, {}}, {clouds.y, {}}, options);
  EXPECT_EQ(sliced.method, WassersteinMethod::sliced);
  EXPECT_THAT(sliced.reason, HasSubstr("exact would take"));
  EXPECT_THAT(sliced.reason, HasSubstr("different, smaller number"));

  options.sinkhorn.epsilon = 10.0;  // so few iterations that it is the faster one
  const auto sinkhorn = wasserstein({clouds.x, {}}, {clouds.y, {}}, options);
  EXPECT_EQ(sinkhorn.method, WassersteinMethod::sinkhorn);
  EXPECT_THAT(sinkhorn.reason, HasSubstr("approximate"));
}

TEST(Wasserstein, SaysWhyItStoppedEarly) {
  const Clouds clouds = random_clouds(8, 300, 300, 2);
  WassersteinOptions options;
  options.exact.max_pivots = 3;
  const auto exact = wasserstein({clouds.x, {}}, {clouds.y, {}}, options);
  EXPECT_FALSE(exact.converged);
  EXPECT_FALSE(exact.exact);
  EXPECT_THAT(exact.reason, HasSubstr("stopped early: pivot limit"));

  options.method = WassersteinMethod::sinkhorn;
  options.sinkhorn.max_iterations = 2;
  const auto sinkhorn = wasserstein({clouds.x, {}}, {clouds.y, {}}, options);
  EXPECT_FALSE(sinkhorn.converged);
  EXPECT_THAT(sinkhorn.reason, HasSubstr("not converged after 2 iterations"));
}

TEST(Wasserstein, NamesBadArguments) {
  const Matrix x(2, 2), y(2, 3);
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message([&] { (void)wasserstein({x, {}}, {y, {}}); }), HasSubstr("2 coordinates"));
  EXPECT_THAT(message([&] {
                (void)wasserstein({x, {}}, {x, {}}, {.p = 3});
              }),
              HasSubstr("p must be at least 1 and at most 2, got 3"));
  EXPECT_THAT(message([] { (void)parse_choice<WassersteinMethod>("fast", "method"); }),
              HasSubstr("method: 'fast' is not one of auto|exact|sinkhorn|sliced"));
}

TEST(WassersteinMethod, NamesRoundTrip) {
  for (const auto* name : {"auto", "exact", "sinkhorn", "sliced"}) {
    EXPECT_STREQ(to_string(parse_choice<WassersteinMethod>(name, "method")), name);
  }
}

}  // namespace
}  // namespace nw::ot
