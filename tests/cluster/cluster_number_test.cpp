#include "cluster/cluster_number.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "cluster/mixture_ladder.hpp"
#include "cluster/mode_depths.hpp"

namespace nw::cluster {
namespace {

Matrix gaussians_at(const std::vector<std::vector<double>>& centres, std::size_t each,
                    std::uint64_t seed) {
  Rng rng(seed);
  Matrix rows(centres.size() * each, centres[0].size());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t c = 0; c < rows.cols(); ++c) {
      rows(i, c) = centres[i / each][c] + rng.normal();
    }
  }
  return rows;
}

Matrix rings(const std::vector<double>& radii, std::size_t each) {
  Rng rng(4);
  Matrix rows(radii.size() * each, 2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double angle = 2.0 * std::numbers::pi * rng.uniform();
    rows(i, 0) = radii[i / each] * std::cos(angle) + 0.15 * rng.normal();
    rows(i, 1) = radii[i / each] * std::sin(angle) + 0.15 * rng.normal();
  }
  return rows;
}

FoundNumber number_of(MatrixView rows, std::size_t most, int threads = 1) {
  const auto around = neighbourhood(rows, 10, 1);
  const auto linkages = make_linkages(rows, around, 1);
  return find_number(
      {.rows = rows, .around = &around, .linkages = &linkages, .most = most, .threads = threads},
      Rng(0));
}

TEST(MixtureLadder, EndsWithTheGaussianOfTheWholeSample) {
  const Matrix rows = gaussians_at({{0.0, 0.0}, {9.0, 0.0}}, 60, 1);
  const double ridge = 1e-9, n = static_cast<double>(rows.rows());
  const auto ladder = mixture_ladder({.rows = rows, .most = 7, .ridge = ridge}, Rng(0));
  ASSERT_EQ(ladder.size(), 7U);
  for (std::size_t r = 0; r < ladder.size(); ++r) EXPECT_EQ(ladder[r].components(), 7 - r);
  double mean[2] = {}, second[3] = {};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (int c = 0; c < 2; ++c) mean[c] += rows(i, c) / n;
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double x = rows(i, 0) - mean[0], y = rows(i, 1) - mean[1];
    second[0] += x * x / n, second[1] += x * y / n, second[2] += y * y / n;
  }
  const double determinant = second[0] * second[2] - second[1] * second[1];
  EXPECT_NEAR(ladder.back().log_likelihood,
              -std::log(2.0 * std::numbers::pi) - 1.0 - 0.5 * std::log(determinant), 1e-6);
  // Two far groups: the second to last mixture has them.
  EXPECT_NEAR(ladder[5].pi[0], 0.5, 1e-6);
  EXPECT_GT(ladder[5].log_likelihood, ladder[6].log_likelihood + 0.3);
}

TEST(ModeDepths, HaveTheClosedFormOfTwoEqualGaussians) {
  const Matrix one({1.0, 0.0, 0.0, 1.0}, 2, 2);
  const auto at = [&](double x) { return measure::gaussian_component(std::vector{x, 0.0}, one); };
  const std::vector<double> half{0.5, 0.5};
  // At a distance of 6, log density falls by 9 / 2 - log 2 from a centre to the middle.
  const double depth = mode_depths({{at(0.0), at(6.0)}}, half, 0.0).at(0);
  EXPECT_NEAR(depth, 4.5 - std::log(2.0), 1e-3);
  // Nearer than two deviations they are one mode (Ray and Lindsay 2005).
  EXPECT_NEAR(mode_depths({{at(0.0), at(1.8)}}, half, 0.0).at(0), 0.0, 1e-12);
  // A third between them fills the valley.
  const std::vector<double> third(3, 1.0 / 3.0);
  EXPECT_LT(mode_depths({{at(0.0), at(6.0), at(3.0)}}, third, 0.0).at(0), 1.0);
}

TEST(FindNumber, CountsManyGaussians) {
  std::vector<std::vector<double>> centres;
  for (int i = 0; i < 24; ++i) centres.push_back({6.0 * (i % 6), 6.0 * (i / 6)});
  const auto found = number_of(gaussians_at(centres, 40, 2), 90);
  EXPECT_EQ(found.k, 24U);
  EXPECT_TRUE(found.explained);
}

TEST(FindNumber, CountsGaussiansInTwelveColumnsByAProjection) {
  std::vector<std::vector<double>> centres(4, std::vector<double>(12, 0.0));
  for (std::size_t j = 0; j < 4; ++j) centres[j][j] = 6.0;
  const auto found = number_of(gaussians_at(centres, 100, 3), 40);
  EXPECT_EQ(found.k, 4U);
  EXPECT_LE(found.space.columns, 10U);
}

TEST(FindNumber, DoesNotCountThePartsOfARing) {
  const auto found = number_of(rings({1.0, 3.0}, 350), 50);
  EXPECT_EQ(found.k, 2U);
  EXPECT_EQ(found.apart, 2U);
  EXPECT_GT(found.gaussians, 6U);
}

TEST(FindNumber, FindsOneGaussianToBeOneClusterOnAnyNumberOfThreads) {
  const Matrix rows = gaussians_at({{0.0, 0.0, 0.0}}, 300, 5);
  EXPECT_EQ(number_of(rows, 30).k, 1U);
  const Matrix two = gaussians_at({{0.0, 0.0}, {8.0, 0.0}}, 100, 6);
  EXPECT_EQ(number_of(two, 20, 1).k, 2U);
  EXPECT_EQ(number_of(two, 20, 3).k, 2U);
}

}  // namespace
}  // namespace nw::cluster
