#include "nw/cluster/equilibrium_kmeans.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "nw/cluster/kmeans.hpp"

namespace nw::cluster {
namespace {

/// A wide cluster of `large` points around 0 and a narrow one of `small` points around (6, 0).
Matrix unequal(std::size_t large, std::size_t small, std::uint64_t seed) {
  Rng rng(seed);
  Matrix points(large + small, 2);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const bool first = i < large;
    points(i, 0) = (first ? 2.0 : 0.4) * rng.normal() + (first ? 0.0 : 7.0);
    points(i, 1) = (first ? 2.0 : 0.4) * rng.normal();
  }
  return points;
}

/// The mean Boltzmann distance, written out.
double objective(const Matrix& points, const Matrix& centres, double alpha) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double top = 0.0, bottom = 0.0;
    for (std::size_t j = 0; j < centres.rows(); ++j) {
      double d = 0.0;
      for (std::size_t c = 0; c < points.cols(); ++c) {
        d += std::pow(points(i, c) - centres(j, c), 2);
      }
      top += d * std::exp(-alpha * d);
      bottom += std::exp(-alpha * d);
    }
    sum += top / bottom;
  }
  return sum / static_cast<double>(points.rows());
}

TEST(EquilibriumKMeans, EndsWhereItsObjectiveIsStationary) {
  const Matrix points = unequal(300, 60, 1);
  const double alpha = 0.3;
  const auto found = equilibrium_kmeans(
      {.points = points}, {.components = 2, .alpha = alpha, .tolerance = 1e-16}, Rng(2));
  ASSERT_TRUE(found.converged);
  EXPECT_NEAR(found.objective, objective(points, found.centres, alpha), 1e-9);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t c = 0; c < 2; ++c) {
      constexpr double kStep = 1e-4;
      Matrix up = found.centres, down = found.centres;
      up(j, c) += kStep;
      down(j, c) -= kStep;
      const double slope =
          (objective(points, up, alpha) - objective(points, down, alpha)) / (2.0 * kStep);
      EXPECT_NEAR(slope, 0.0, 1e-5);
    }
  }
}

TEST(EquilibriumKMeans, CutsLessOffALargeClusterThanKMeansDoes) {
  const std::size_t large = 2000, small = 200;
  const Matrix points = unequal(large, small, 3);
  const double truth = static_cast<double>(small) / static_cast<double>(large + small);
  const auto plain = kmeans({.points = points}, {.components = 2}, Rng(1));
  const auto found =
      equilibrium_kmeans({.points = points}, {.components = 2, .restarts = 5}, Rng(1));
  EXPECT_GT(plain.share[1], 2.0 * truth);
  EXPECT_LT(found.share[1] - truth, 0.6 * (plain.share[1] - truth));
}

TEST(EquilibriumKMeans, NumbersClustersFromTheLargest) {
  const auto found = equilibrium_kmeans({.points = unequal(300, 60, 4)}, {.components = 2}, Rng(1));
  EXPECT_GT(found.share[0], found.share[1]);
  const auto first = std::ranges::count(found.assignment, 0u);
  EXPECT_NEAR(found.share[0], static_cast<double>(first) / 360.0, 1e-12);
}

TEST(EquilibriumKMeans, RefusesMoreClustersThanPoints) {
  EXPECT_THROW(
      static_cast<void>(equilibrium_kmeans({.points = Matrix(2, 1)}, {.components = 3}, Rng(0))),
      InvalidArgument);
}

}  // namespace
}  // namespace nw::cluster
