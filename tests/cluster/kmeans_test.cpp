#include "nw/cluster/kmeans.hpp"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/cluster/gaussian_mixture.hpp"

namespace nw::cluster {
namespace {

Matrix random_points(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Rng rng(seed);
  Matrix points(rows, cols);
  for (double& value : points.values()) value = rng.normal();
  return points;
}

/// The least inertia over every way to cut the points in two.
double brute_force(const Matrix& points) {
  double best = std::numeric_limits<double>::infinity();
  const std::size_t n = points.rows();
  for (unsigned mask = 1; mask + 1 < (1u << n); ++mask) {
    double inertia = 0.0;
    for (const bool side : {false, true}) {
      for (std::size_t c = 0; c < points.cols(); ++c) {
        double sum = 0.0, squares = 0.0, count = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
          if (((mask >> i & 1u) == 1u) != side) continue;
          sum += points(i, c);
          squares += points(i, c) * points(i, c);
          count += 1.0;
        }
        inertia += squares - sum * sum / count;
      }
    }
    best = std::min(best, inertia);
  }
  return best;
}

TEST(KMeans, FindsTheBestCutOfAFewPoints) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Matrix points = random_points(8, 2, seed);
    const auto found = kmeans({.points = points}, {.components = 2, .restarts = 20}, Rng(seed));
    EXPECT_NEAR(found.inertia, brute_force(points), 1e-9) << seed;
    EXPECT_TRUE(found.converged);
  }
}

TEST(KMeans, GivesTheSameNumbersForEveryNumberOfThreads) {
  const Matrix points = random_points(3000, 5, 1);
  const auto one = kmeans({.points = points}, {.components = 6, .threads = 1}, Rng(4));
  const auto three = kmeans({.points = points}, {.components = 6, .threads = 3}, Rng(4));
  EXPECT_EQ(one.assignment, three.assignment);
  EXPECT_EQ(one.inertia, three.inertia);
}

TEST(KMeans, TakesAWeightForThatManyPoints) {
  const Matrix points = random_points(40, 2, 2);
  std::vector<double> weights(40, 1.0);
  Matrix doubled(60, 2);
  std::copy(points.values().begin(), points.values().end(), doubled.values().begin());
  for (std::size_t i = 0; i < 20; ++i) {
    weights[i] = 2.0;
    std::copy(points.row(i).begin(), points.row(i).end(), doubled.row(40 + i).begin());
  }
  const KMeansOptions options{.components = 2, .restarts = 30};
  const auto by_weight = kmeans({.points = points, .weights = weights}, options, Rng(1));
  const auto by_copies = kmeans({.points = doubled}, options, Rng(1));
  EXPECT_NEAR(by_weight.inertia, by_copies.inertia, 1e-9);
  EXPECT_THAT(by_weight.share, testing::Pointwise(testing::DoubleNear(1e-12), by_copies.share));
}

TEST(KMeans, GivesEveryPointACentreOfItsOwnWhenThereAreEnough) {
  const Matrix points = random_points(7, 3, 3);
  const auto found = kmeans({.points = points}, {.components = 7}, Rng(1));
  EXPECT_NEAR(found.inertia, 0.0, 1e-12);
  EXPECT_THAT(found.assignment, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(KMeans, ServesMoreClustersThanDistinctPoints) {
  const Matrix points({1.0, 1.0, 1.0, 2.0}, 4, 1);
  const auto found = kmeans({.points = points}, {.components = 3}, Rng(1));
  EXPECT_NEAR(found.inertia, 0.0, 1e-12);
}

TEST(KMeans, RefusesMoreClustersThanPoints) {
  const Matrix points(2, 1);
  EXPECT_THROW(static_cast<void>(kmeans({.points = points}, {.components = 3}, Rng(0))),
               InvalidArgument);
}

TEST(GaussianMixture, WithOneComponentIsTheMeanAndCovarianceOfTheData) {
  const Matrix points = random_points(500, 2, 5);
  const auto found = gaussian_mixture({.points = points}, {.components = 1}, Rng(0));
  double mean[2] = {0.0, 0.0}, cross = 0.0;
  for (std::size_t i = 0; i < 500; ++i) {
    for (std::size_t c = 0; c < 2; ++c) mean[c] += points(i, c) / 500.0;
  }
  for (std::size_t i = 0; i < 500; ++i) {
    cross += (points(i, 0) - mean[0]) * (points(i, 1) - mean[1]) / 500.0;
  }
  const auto& component = found.mixture.components[0];
  EXPECT_NEAR(component.centre[0], mean[0], 1e-9);
  EXPECT_NEAR(component.centre[1], mean[1], 1e-9);
  EXPECT_NEAR(covariance(component)(0, 1), cross, 1e-9);
  EXPECT_THAT(found.confidence, testing::Each(testing::DoubleEq(1.0)));
}

TEST(GaussianMixture, RecoversTheSharesOfOverlappingComponents) {
  Rng rng(8);
  Matrix points(6000, 1);
  for (std::size_t i = 0; i < 6000; ++i) points(i, 0) = rng.normal() + (i < 1500 ? 0.0 : 4.0);
  const auto found = gaussian_mixture(
      {.points = points}, {.components = 2, .max_iterations = 500, .tolerance = 1e-9}, Rng(0));
  // Three standard errors of a share of a quarter, widened for the overlap.
  EXPECT_NEAR(found.pi[0], 0.75, 0.03);
  EXPECT_NEAR(found.mixture.components[0].centre[0], 4.0, 0.1);
}

}  // namespace
}  // namespace nw::cluster
