#include "measure/seed_rows.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace nw::measure {
namespace {

/// Clouds of `per_cloud` points around the corners of a large square.
Matrix four_clouds(std::size_t per_cloud, Rng& rng) {
  Matrix points(4 * per_cloud, 2);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    points(i, 0) = 100.0 * static_cast<double>(i % 2) + rng.normal();
    points(i, 1) = 100.0 * static_cast<double>(i / 2 % 2) + rng.normal();
  }
  return points;
}

double potential_of(const Matrix& points, const std::vector<double>& weights,
                    const std::vector<std::size_t>& rows) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t row : rows) {
      double distance = 0.0;
      for (std::size_t c = 0; c < points.cols(); ++c) {
        distance += (points(i, c) - points(row, c)) * (points(i, c) - points(row, c));
      }
      least = std::min(least, distance);
    }
    sum += weights[i] * least;
  }
  return sum;
}

TEST(SeedRows, OneOfEachOfSeveralFarClouds) {
  Rng rng(1);
  const Matrix points = four_clouds(25, rng);
  for (const int candidates : {1, greedy_candidates(4)}) {
    for (int draw = 0; draw < 20; ++draw) {
      const SeedRows seeds = seed_rows({.points = points}, 4, candidates, rng);
      std::set<std::size_t> clouds;
      for (const std::size_t row : seeds.rows) clouds.insert(row % 4);
      EXPECT_EQ(clouds.size(), 4u) << candidates << " candidates, draw " << draw;
    }
  }
}

TEST(SeedRows, PotentialIsThatOfTheRowsChosen) {
  Rng rng(2);
  const Matrix points = four_clouds(10, rng);
  std::vector<double> weights(points.rows());
  for (double& weight : weights) weight = rng.uniform();
  for (std::size_t count = 1; count < 8; ++count) {
    const auto seeds = seed_rows({.points = points, .weights = weights}, count, 3, rng);
    ASSERT_EQ(seeds.rows.size(), count);
    const double expected = potential_of(points, weights, seeds.rows);
    EXPECT_NEAR(seeds.potential, expected, 1e-12 * expected);
  }
}

TEST(SeedRows, RowsThatNoNewCentreReachesAreLeftAloneForGoodReason) {
  Rng rng(6);
  Matrix points(600, 30);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t c = 0; c < points.cols(); ++c) {
      points(i, c) = (i % 30 == c ? 6.0 : 0.0) + (i % 2 == 0 ? 0.3 : 1.5) * rng.normal();
    }
  }
  const std::vector<double> weights(points.rows(), 1.0);
  for (const std::size_t count : {10, 30, 60}) {
    const auto seeds = seed_rows({.points = points}, count, greedy_candidates(count), rng);
    const double expected = potential_of(points, weights, seeds.rows);
    EXPECT_NEAR(seeds.potential, expected, 1e-12 * expected);
  }
}

TEST(SeedRows, MoreCandidatesLowerThePotentialOnAverage) {
  Rng rng(3);
  Matrix points(200, 2);
  for (double& value : points.values()) value = rng.normal();
  const auto mean = [&](int candidates) {
    double sum = 0.0;
    for (int draw = 0; draw < 50; ++draw) {
      sum += seed_rows({.points = points}, 8, candidates, rng).potential;
    }
    return sum / 50.0;
  };
  const double plain = mean(1);
  EXPECT_LT(mean(greedy_candidates(8)), 0.9 * plain);
}

TEST(SeedRows, PointsWithoutWeightAreNeverChosen) {
  Rng rng(4);
  const Matrix points = four_clouds(10, rng);
  std::vector<double> weights(points.rows(), 0.0);
  for (std::size_t i = 0; i < weights.size(); i += 4) weights[i] = 1.0;  // one cloud alone
  for (int draw = 0; draw < 20; ++draw) {
    for (const std::size_t row :
         seed_rows({.points = points, .weights = weights}, 5, 2, rng).rows) {
      EXPECT_EQ(row % 4, 0u);
    }
  }
}

TEST(SeedRows, RepeatWhereThereAreFewerDistinctPoints) {
  Rng rng(5);
  const Matrix points({1.0, 2.0, 1.0, 2.0, 1.0, 2.0}, 6, 1);
  const auto seeds = seed_rows({.points = points}, 4, 3, rng);
  EXPECT_EQ(seeds.rows.size(), 4u);
  EXPECT_EQ(seeds.potential, 0.0);
}

}  // namespace
}  // namespace nw::measure
