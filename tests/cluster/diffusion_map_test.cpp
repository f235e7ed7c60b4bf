#include "nw/cluster/diffusion_map.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/cluster/principal_axes.hpp"

#include "cluster/leading_eigenvectors.hpp"
#include "cluster/nearest_rows.hpp"

namespace nw::cluster {
namespace {

Matrix random_points(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Rng rng(seed);
  Matrix points(rows, cols);
  for (double& value : points.values()) value = rng.normal();
  return points;
}

/// Two half circles that reach into each other, `first` points on the one, the rest on the other:
/// no straight line parts them.
Matrix moons(std::size_t first, std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  Matrix points(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const double angle = std::numbers::pi * rng.uniform();
    const bool upper = i < first;
    points(i, 0) = (upper ? std::cos(angle) : 1.0 - std::cos(angle)) + 0.05 * rng.normal();
    points(i, 1) = (upper ? std::sin(angle) : 0.4 - std::sin(angle)) + 0.05 * rng.normal();
  }
  return points;
}

TEST(NearestRows, AreThoseOfBruteForce) {
  const Matrix reference = random_points(300, 3, 1), queries = random_points(40, 3, 2);
  const auto found = nearest_rows(queries, reference, 5, /*skip_self=*/false, 2);
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::uint32_t j = 0; j < reference.rows(); ++j) {
      double square = 0.0;
      for (std::size_t c = 0; c < 3; ++c) {
        square += std::pow(queries(i, c) - reference(j, c), 2);
      }
      all.emplace_back(square, j);
    }
    std::ranges::sort(all);
    for (std::size_t c = 0; c < 5; ++c) {
      EXPECT_EQ(found.row[i * 5 + c], all[c].second);
      EXPECT_NEAR(found.distance[i * 5 + c], all[c].first, 1e-12);
    }
  }
}

TEST(NearestRows, LeaveThePointItselfOutWhenAsked) {
  const Matrix points = random_points(50, 2, 3);
  const auto found = nearest_rows(points, points, 3, /*skip_self=*/true, 1);
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NE(found.row[i * 3 + c], i);
  }
}

TEST(LeadingEigenvectors, AgreeWithTheDenseSolver) {
  // A ring with random weights, scaled so that a known vector has eigenvalue 1.
  constexpr std::size_t kRows = 60;
  Rng rng(4);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(kRows, kRows);
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(kRows); ++i) {
    for (const Eigen::Index step : {1, 5}) {
      const Eigen::Index j = (i + step) % static_cast<Eigen::Index>(kRows);
      dense(i, j) = dense(j, i) = 0.2 + rng.uniform();
    }
  }
  const Eigen::VectorXd root = dense.rowwise().sum().cwiseSqrt();
  dense = root.cwiseInverse().asDiagonal() * dense * root.cwiseInverse().asDiagonal();
  SparseSymmetric sparse{.begin = {0}, .column = {}, .value = {}};
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (std::uint32_t j = 0; j < kRows; ++j) {
      if (dense(i, j) == 0.0) continue;
      sparse.column.push_back(j);
      sparse.value.push_back(dense(i, j));
    }
    sparse.begin.push_back(sparse.column.size());
  }
  const auto found = leading_eigenvectors(sparse, root / root.norm(), 4, Rng(5), 1);
  EXPECT_TRUE(found.converged);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dense);
  for (Eigen::Index q = 0; q < 4; ++q) {
    EXPECT_NEAR(found.values[static_cast<std::size_t>(q)],
                solver.eigenvalues()[static_cast<Eigen::Index>(kRows) - 2 - q], 1e-9);
    const Eigen::VectorXd v = found.vectors.col(q);
    EXPECT_LT((dense * v - found.values[static_cast<std::size_t>(q)] * v).norm(), 1e-6);
  }
}

TEST(PrincipalAxes, SpanTheDirectionsOfLargestVariance) {
  // Three directions of thirty carry nearly everything.
  const Matrix few = random_points(400, 3, 6), noise = random_points(400, 30, 7);
  Matrix points(400, 30);
  for (std::size_t i = 0; i < 400; ++i) {
    for (std::size_t c = 0; c < 30; ++c) points(i, c) = 0.01 * noise(i, c) + 2.0;
    for (std::size_t c = 0; c < 3; ++c)
      points(i, 7 * c) += (3.0 - static_cast<double>(c)) * few(i, c);
  }
  const auto axes = principal_axes(points, 3, Rng(8), 2);
  ASSERT_EQ(axes.axes.rows(), 3u);
  for (std::size_t q = 0; q < 3; ++q) EXPECT_GT(std::abs(axes.axes(q, 7 * q)), 0.97) << q;
  const Matrix projected = axes.project(points);
  double sum = 0.0, square = 0.0;
  for (std::size_t i = 0; i < 400; ++i) {
    sum += projected(i, 0);
    square += projected(i, 0) * projected(i, 0);
  }
  EXPECT_NEAR(sum, 0.0, 1e-8);
  EXPECT_NEAR(square / 400, 9.0, 1.5);
}

TEST(DiffusionMap, PartsShapesThatNoLineParts) {
  const std::size_t first = 700, rows = 800;
  const Matrix points = moons(first, rows, 1);
  const auto map = diffusion_map(points, {.dimensions = 1}, Rng(2));
  EXPECT_TRUE(map.converged);
  // Mass 7/8 against 1/8: sqrt(1/7) on one side of the middle, sqrt(7) on the other.
  const double sign = map.coordinates(0, 0) > 0.0 ? 1.0 : -1.0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    wrong += (sign * map.coordinates(i, 0) > -1.0) != (i < first);
  }
  EXPECT_LE(wrong, 8u);
}

/// A strip of 2100 points, twenty times as long as wide, and beside its middle a disc of 40 points
/// that three more join to it.
Matrix strip_and_disc(std::uint64_t seed) {
  Rng rng(seed);
  Matrix points(2143, 2);
  for (std::size_t i = 0; i < 2100; ++i) {
    points(i, 0) = 20.0 * rng.uniform();
    points(i, 1) = rng.uniform();
  }
  for (std::size_t i = 2100; i < 2140; ++i) {
    points(i, 0) = 10.0 + 0.2 * rng.normal();
    points(i, 1) = 2.2 + 0.2 * rng.normal();
  }
  for (std::size_t i = 0; i < 3; ++i) {
    points(2140 + i, 0) = 10.0;
    points(2140 + i, 1) = 1.1 + 0.2 * static_cast<double>(i);
  }
  return points;
}

/// Points of the strip and the disc on the wrong side of the middle between both, in one coordinate
/// that is far from 0 in the disc.
std::size_t misplaced(const DiffusionMap& map) {
  double disc = 0.0;
  for (std::size_t i = 2100; i < 2140; ++i) disc += map.coordinates(i, 0) / 40.0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 2140; ++i) {
    wrong += (map.coordinates(i, 0) / disc > 0.5) != (i >= 2100);
  }
  return wrong;
}

TEST(DiffusionMap, PartsASmallClusterFromALargeOneThatTheWalkNeedsLongerToCross) {
  const Matrix points = strip_and_disc(1);
  const auto leading = diffusion_map(points, {.dimensions = 1, .spare = 0}, Rng(2));
  EXPECT_GT(misplaced(leading), 300u) << "the leading coordinate should run along the strip";
  EXPECT_LT(leading.bimodality[0], 0.75);
  const auto map = diffusion_map(points, {.dimensions = 1}, Rng(2));
  EXPECT_EQ(map.coordinates.cols(), 1u);
  EXPECT_EQ(map.eigenvalues.size(), 7u);
  EXPECT_LE(misplaced(map), 3u);
  EXPECT_GT(map.bimodality[0], 0.9);
  EXPECT_NEAR(map.eigenvalues[0], leading.eigenvalues[0], 1e-9);
}

TEST(DiffusionMap, SearchesNoMoreCoordinatesThanAFewPointsCanTell) {
  const auto spectrum = [](std::size_t rows) {
    return diffusion_map(moons(rows / 2, rows, 1), {.dimensions = 1}, Rng(2)).eigenvalues.size();
  };
  EXPECT_EQ(spectrum(100), 1u);
  EXPECT_EQ(spectrum(900), 3u);
}

TEST(DiffusionMap, PlacesNewPointsWhereTheirNeighboursAre) {
  const Matrix points = moons(300, 600, 3), fresh = moons(50, 100, 4);
  const auto map = diffusion_map(points, {.dimensions = 1}, Rng(5));
  const Matrix placed = map.place(fresh);
  std::size_t wrong = 0;
  const double sign = map.coordinates(0, 0);
  for (std::size_t i = 0; i < 100; ++i) wrong += (sign * placed(i, 0) > 0.0) != (i < 50);
  EXPECT_LE(wrong, 2u);
  // A point of the graph comes back near its own place.
  const Matrix own = map.place(points);
  double error = 0.0;
  for (std::size_t i = 0; i < 600; ++i) {
    error += std::abs(own(i, 0) - map.coordinates(i, 0)) / 600.0;
  }
  EXPECT_LT(error, 0.05);
}

TEST(DiffusionMap, GivesTheSameNumbersForEveryNumberOfThreads) {
  const Matrix points = random_points(700, 60, 6);
  const auto one = diffusion_map(points, {.dimensions = 3, .threads = 1}, Rng(1));
  const auto three = diffusion_map(points, {.dimensions = 3, .threads = 3}, Rng(1));
  EXPECT_EQ(one.eigenvalues, three.eigenvalues);
  EXPECT_TRUE(std::ranges::equal(one.coordinates.values(), three.coordinates.values()));
}

TEST(DiffusionMap, StandsForMorePointsByAChoiceOfThem) {
  const Matrix points = moons(300, 600, 8);
  const auto map = diffusion_map(points, {.dimensions = 1, .max_points = 400}, Rng(1));
  EXPECT_FALSE(map.all_points);
  EXPECT_EQ(map.reference.rows(), 400u);
  const Matrix placed = map.place(points);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 600; ++i) wrong += (placed(0, 0) * placed(i, 0) > 0.0) != (i < 300);
  EXPECT_LE(wrong, 6u);
}

TEST(DiffusionMap, ServesPointsThatAreThereManyTimes) {
  Matrix points(60, 1);
  for (std::size_t i = 0; i < 60; ++i)
    points(i, 0) = i < 30 ? 0.0 : 1.0 + 0.01 * static_cast<double>(i);
  const auto map = diffusion_map(points, {.dimensions = 1, .neighbours = 5}, Rng(1));
  for (const double value : map.coordinates.values()) EXPECT_TRUE(std::isfinite(value));
}

TEST(DiffusionMap, RefusesFewerPointsThanNeighbours) {
  const Matrix points(5, 2);
  try {
    static_cast<void>(diffusion_map(points, {}, Rng(0)));
    FAIL() << "five points were accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("5 points"));
  }
}

}  // namespace
}  // namespace nw::cluster
