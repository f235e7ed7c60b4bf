#include "nw/cluster/diffusion_map.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/cluster/agreement.hpp"
#include "nw/cluster/kmeans.hpp"
#include "nw/cluster/principal_axes.hpp"

#include "cluster/leading_eigenvectors.hpp"
#include "cluster/nearest_rows.hpp"
#include "cluster/neighbour_graph.hpp"
#include "cluster/walk_map.hpp"

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

/// Images of 12 x 12 pixels: `first` of a soft stroke that slopes down, the others of one that
/// slopes up, all of them moved about.
Matrix strokes(std::size_t first, std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  Matrix images(rows, 144);
  for (std::size_t i = 0; i < rows; ++i) {
    const double slope = i < first ? 1.0 : -1.0;
    const double x = 5.5 + 1.5 * rng.normal(), y = 5.5 + 1.5 * rng.normal();
    for (std::size_t p = 0; p < 144; ++p) {
      const double off =
          static_cast<double>(p / 12) - y - slope * (static_cast<double>(p % 12) - x);
      images(i, p) = std::exp(-0.25 * off * off) + 0.05 * rng.normal();
    }
  }
  return images;
}

constexpr ImageGrid kStrokes{.height = 12, .width = 12, .channels = 1};

TEST(DiffusionMap, OfImagesComparesTheirEdges) {
  const Matrix images = strokes(400, 450, 1), fresh = strokes(30, 60, 2);
  const auto map = diffusion_map_for_clusters(images, {.dimensions = 1, .image = kStrokes}, Rng(3));
  EXPECT_EQ(map.dimension(), 144u);
  EXPECT_EQ(map.axes.mean.size(), kEdgeValues);
  const double sign = map.coordinates(0, 0) > 0.0 ? 1.0 : -1.0;
  std::size_t wrong = 0;
  // A share of 1/9: 0.35 on one side of the middle, 2.8 on the other.
  for (std::size_t i = 0; i < 450; ++i) {
    wrong += (sign * map.coordinates(i, 0) > -1.2) != (i < 400);
  }
  EXPECT_LE(wrong, 4u);
  const Matrix placed = map.place(fresh);
  for (std::size_t i = 0; i < 60; ++i) wrong += (sign * placed(i, 0) > -1.2) != (i < 30);
  EXPECT_LE(wrong, 6u);
}

TEST(DiffusionMap, OfImagesRefusesRowsThatAreNone) {
  try {
    static_cast<void>(diffusion_map(Matrix(100, 143), {.image = kStrokes}, Rng(0)));
    FAIL() << "rows of 143 values were accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no images of 12 x 12 x 1"));
  }
}

TEST(MapOfClusters, HasEveryClusterAtOnePlaceAndVarianceOneUnderTheWalk) {
  // Three clouds of unequal size, far apart: no tie leads from one to another.
  Rng rng(4);
  Matrix points(360, 2);
  std::vector<std::uint32_t> cluster(360);
  for (std::size_t i = 0; i < 360; ++i) {
    cluster[i] = i < 240 ? 0 : i < 330 ? 1 : 2;
    points(i, 0) = rng.normal() + (cluster[i] == 1 ? 30.0 : 0.0);
    points(i, 1) = rng.normal() + (cluster[i] == 2 ? 30.0 : 0.0);
  }
  const DiffusionOptions options{.dimensions = 2, .neighbours = 6};
  const auto around = surroundings(points, options, 12, Rng(5));
  const auto map = map_of_clusters(around, options, cluster, 3);
  ASSERT_EQ(map.coordinates.cols(), 2u);
  // Places of clusters of share p and q lie sqrt(1/p + 1/q) apart.
  const auto graph = neighbour_graph(nearest_of(around.near, 6), map.scale);
  const Eigen::VectorXd degree = degrees(graph);
  const double all = degree.sum();
  const std::array<std::size_t, 3> first{0, 240, 330}, count{240, 90, 30};
  std::array<double, 3> share{};
  for (std::size_t j = 0; j < 3; ++j) {
    share[j] =
        degree.segment(static_cast<Eigen::Index>(first[j]), static_cast<Eigen::Index>(count[j]))
            .sum() /
        all;
    for (std::size_t i = first[j]; i < first[j] + count[j]; ++i) {
      for (std::size_t q = 0; q < 2; ++q) {
        EXPECT_NEAR(map.coordinates(i, q), map.coordinates(first[j], q), 1e-9);
      }
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t l = 0; l < j; ++l) {
      const double apart = std::hypot(map.coordinates(first[j], 0) - map.coordinates(first[l], 0),
                                      map.coordinates(first[j], 1) - map.coordinates(first[l], 1));
      EXPECT_NEAR(apart, std::sqrt(1.0 / share[j] + 1.0 / share[l]), 1e-9);
    }
  }
  for (const double value : map.bimodality) {
    EXPECT_GE(value, 2.0 / 3.0);
    EXPECT_LE(value, 1.0 + 1e-12);
  }
}

struct Clouds {
  Matrix points;
  std::vector<std::int32_t> classes;
};

/// Clouds on a grid, of so many points each.
Clouds clouds_of(const std::vector<std::int32_t>& sizes) {
  Rng rng(6);
  std::vector<double> values;
  std::vector<std::int32_t> classes;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(sizes.size()); ++j) {
    for (std::int32_t i = 0; i < sizes[static_cast<std::size_t>(j)]; ++i) {
      values.push_back(6.0 * (j % 3) + rng.normal());
      values.push_back(6.0 * (j / 3) + rng.normal());  // NOLINT(bugprone-integer-division)
      classes.push_back(j);
    }
  }
  return {Matrix(std::move(values), classes.size(), 2), classes};
}

Clouds nine_clouds() {
  return clouds_of({30, 80, 130, 180, 230, 280, 330, 380, 430});
}

/// In how many of eight draws, of 2 to 9 clouds, as many clusters are found as there are clouds.
int times_right(const std::function<std::int32_t(std::int32_t)>& size_of) {
  int right = 0;
  for (std::int32_t k = 2; k < 10; ++k) {
    std::vector<std::int32_t> sizes;
    for (std::int32_t j = 0; j < k; ++j) sizes.push_back(size_of(j));
    const auto [points, classes] = clouds_of(sizes);
    right += agreed_clusters(points, {}, 15, Rng(7)) == static_cast<std::size_t>(k) ? 1 : 0;
  }
  return right;
}

// Halves of one cloud may pass for clusters. By the adjusted Rand index of all clusters, which a
// split of one of many hardly moves, seven of eight draws of equal clouds were wrong.
TEST(AgreedClusters, AreMostlyAsManyAsThereAreWhereTheyLieApart) {
  EXPECT_GE(times_right([](std::int32_t) { return 300; }), 6);
}

TEST(AgreedClusters, AreMostlyAsManyAsThereAreWhereSizesDiffer) {
  EXPECT_GE(times_right([](std::int32_t j) { return 30 + 50 * j; }), 5);
}

TEST(AgreedClusters, DoNotDependOnTheNumberOfThreads) {
  const auto [points, classes] = nine_clouds();
  const auto k = agreed_clusters(points, {.threads = 1}, 15, Rng(7));
  EXPECT_GE(k.value(), 8U);
  EXPECT_EQ(agreed_clusters(points, {.threads = 2}, 15, Rng(7)), k);
}

TEST(AgreedClusters, AreNoMoreThanAskedForAndNoneOfTooFewPoints) {
  const auto [points, classes] = nine_clouds();
  EXPECT_LE(agreed_clusters(points, {}, 4, Rng(7)).value(), 4U);
  EXPECT_EQ(agreed_clusters(points, {}, 1, Rng(7)), std::nullopt);
}

TEST(DiffusionMapForClusters, FindsManyClustersOfUnequalSize) {
  const auto [points, classes] = nine_clouds();
  const auto map = diffusion_map_for_clusters(points, {.dimensions = 8}, Rng(7));
  const auto found = kmeans({.points = map.coordinates}, {.components = 9}, Rng(8)).assignment;
  EXPECT_GT(agreement(classes, found).ari, 0.97);
  EXPECT_GT(map.agreement.value(), 0.95);
}

TEST(DiffusionMapForClusters, SaysThatPartsOfOneCloudAreNotToBeTrusted) {
  const Matrix points = random_points(900, 4, 9);
  const auto map = diffusion_map_for_clusters(points, {.dimensions = 2}, Rng(10));
  EXPECT_LT(map.agreement.value(), 0.6);
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
