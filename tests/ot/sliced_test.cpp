#include "nw/ot/sliced.hpp"

#include <cmath>
#include <numbers>

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

// X and X + t, so that every projection costs |u.t|^p exactly.
Clouds translated(Rng& rng, std::size_t n, const std::vector<double>& t) {
  Clouds clouds{normal_points(rng, n, t.size()), Matrix(n, t.size()), {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < t.size(); ++k) clouds.y(i, k) = clouds.x(i, k) + t[k];
  }
  return clouds;
}

// E |u.t|^p for u uniform on the sphere and |t| = 1.
double mean_projection(GroundCost cost, double d) {
  if (cost == GroundCost::squared_euclidean) return 1.0 / d;
  return std::exp(std::lgamma(d / 2) - std::lgamma((d + 1) / 2)) / std::sqrt(std::numbers::pi);
}

TEST(SlicedWasserstein, OfATranslatedCloudIsTheMeanProjectionOfTheShift) {
  Rng rng(1);
  for (const std::size_t d : {2u, 5u, 30u}) {
    std::vector<double> t(d, 3.0 / std::sqrt(static_cast<double>(d)));  // length 3
    const Clouds clouds = translated(rng, 20, t);
    for (const GroundCost cost : kCosts) {
      const auto result = sliced_wasserstein(clouds.problem(cost), {.directions = 4000}, rng);
      const double power = cost == GroundCost::euclidean ? 3.0 : 9.0;
      const double expected = power * mean_projection(cost, static_cast<double>(d));
      EXPECT_NEAR(result.mean, expected, 4.0 * result.standard_error) << d;
      EXPECT_LT(result.standard_error, 0.05 * expected) << d;
      EXPECT_NEAR(result.upper_bound, power, 1e-12 * power) << "sorting finds the translation";
    }
  }
}

TEST(SlicedWasserstein, EqualsPotOnTheSameDirections) {
  Rng rng(2);
  oracle::Pot pot;
  std::vector<double> ours;
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t d = oracle::size_between(rng, 1, 12);
    Clouds clouds{normal_points(rng, oracle::size_between(rng, 1, 60), d),
                  normal_points(rng, oracle::size_between(rng, 1, 60), d),
                  {},
                  {}};
    if (trial % 2 == 0) {
      clouds.a = oracle::random_weights(rng, clouds.x.rows());
      clouds.b = oracle::random_weights(rng, clouds.y.rows());
    }
    Matrix directions = normal_points(rng, 7, d);
    for (std::size_t l = 0; l < 7; ++l) {
      double norm = 0.0;
      for (const double u : directions.row(l)) norm += u * u;
      for (double& u : directions.row(l)) u /= std::sqrt(norm);
    }
    for (const GroundCost cost : kCosts) {
      pot.sliced(clouds.problem(cost), directions);
      ours.push_back(sliced_wasserstein(clouds.problem(cost), directions).distance);
    }
  }
  const auto theirs = pot.answers();
  if (!theirs) GTEST_SKIP() << "python3-pot is not installed";
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(ours[i], (*theirs)[i], 1e-10 * (1.0 + ours[i])) << i;
  }
}

TEST(SlicedWasserstein, BoundsEncloseTheTransportCost) {
  Rng rng(3);
  for (int trial = 0; trial < 40; ++trial) {
    Clouds clouds{normal_points(rng, oracle::size_between(rng, 1, 15), 3),
                  normal_points(rng, oracle::size_between(rng, 1, 15), 3),
                  {},
                  {}};
    clouds.a = oracle::random_weights(rng, clouds.x.rows());
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      const auto result = sliced_wasserstein(problem, {.directions = 50}, rng);
      const double optimum = oracle::min_cost_flow(oracle::cost_matrix(problem),
                                                   oracle::masses(clouds.a, clouds.x.rows()),
                                                   oracle::masses(clouds.b, clouds.y.rows()));
      EXPECT_LE(result.lower_bound, optimum + 1e-12);
      EXPECT_GE(result.upper_bound, optimum - 1e-12);
      EXPECT_LE(result.mean, result.lower_bound);
    }
  }
}

// A standard error is right when the truth lies within two of them about 95 times in 100.
TEST(SlicedWasserstein, StandardErrorsCoverTheTruthAsOftenAsTheyShould) {
  Rng rng(4);
  const Clouds clouds = translated(rng, 3, {1.0, 0.0, 0.0});
  for (const GroundCost cost : kCosts) {
    const double truth = mean_projection(cost, 3.0);
    const double root = cost == GroundCost::euclidean ? truth : std::sqrt(truth);
    int covered = 0, root_covered = 0;
    constexpr int kTrials = 3000;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto result =
          sliced_wasserstein(clouds.problem(cost), {.directions = 100, .threads = 1}, rng);
      if (std::abs(result.mean - truth) <= 1.96 * result.standard_error) ++covered;
      if (std::abs(result.distance - root) <= 1.96 * result.distance_error) ++root_covered;
    }
    // Six standard deviations of a binomial share around 0.945, the value for 100 directions.
    EXPECT_NEAR(static_cast<double>(covered) / kTrials, 0.945, 0.025);
    EXPECT_NEAR(static_cast<double>(root_covered) / kTrials, 0.945, 0.025);
  }
}

TEST(SlicedWasserstein, IsTheSameForASeedAtEveryThreadCountAndDiffersBetweenSeeds) {
  Rng points(5);
  const Clouds clouds{normal_points(points, 300, 4), normal_points(points, 200, 4), {}, {}};
  const auto solve = [&](std::uint64_t seed, int threads) {
    Rng rng(seed);
    return sliced_wasserstein(clouds.problem(GroundCost::euclidean),
                              {.directions = 33, .threads = threads}, rng);
  };
  const auto reference = solve(7, 1);
  for (const int threads : {2, 3, 4}) {
    EXPECT_EQ(solve(7, threads).projected_cost, reference.projected_cost);
    EXPECT_EQ(solve(7, threads).distance, reference.distance);
    EXPECT_EQ(solve(7, threads).upper_bound, reference.upper_bound);
  }
  EXPECT_NE(solve(8, 1).distance, reference.distance);
}

TEST(SlicedWasserstein, ScalesWithTheCoordinatesFrom1eMinus150To1e150) {
  Rng points(6);
  const Clouds clouds{normal_points(points, 30, 3), normal_points(points, 20, 3), {}, {}};
  for (const GroundCost cost : kCosts) {
    Rng first(1);
    const auto reference = sliced_wasserstein(clouds.problem(cost), {}, first);
    for (const int exponent : {-498, 498}) {
      Clouds scaled = clouds;
      oracle::scale_by_power_of_two(scaled.x, exponent);
      oracle::scale_by_power_of_two(scaled.y, exponent);
      Rng second(1);
      const auto result = sliced_wasserstein(scaled.problem(cost), {}, second);
      EXPECT_EQ(result.distance, std::ldexp(reference.distance, exponent));
      EXPECT_EQ(result.distance_error, std::ldexp(reference.distance_error, exponent));
    }
  }
}

TEST(SlicedWasserstein, IsZeroWithoutErrorForEqualClouds) {
  Rng rng(7);
  const Matrix x = normal_points(rng, 10, 2);
  for (const GroundCost cost : kCosts) {
    const auto result = sliced_wasserstein({{x, {}}, {x, {}}, cost}, {}, rng);
    EXPECT_EQ(result.distance, 0.0);
    EXPECT_EQ(result.distance_error, 0.0);
    EXPECT_EQ(result.upper_bound, 0.0);
  }
}

TEST(SlicedWasserstein, NamesBadOptionsAndDirections) {
  const Matrix x(3, 2), directions({1, 0, 0, 2}, 2, 2);
  const PointProblem problem{{x, {}}, {x, {}}, GroundCost::euclidean};
  Rng rng(8);
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message([&] { (void)sliced_wasserstein(problem, {.directions = 1}, rng); }),
              ::testing::HasSubstr("SlicedOptions.directions must be at least 2, got 1"));
  EXPECT_THAT(message([&] { (void)sliced_wasserstein(problem, directions); }),
              ::testing::HasSubstr("direction 1 has length 2"));
}

}  // namespace
}  // namespace nw::ot
