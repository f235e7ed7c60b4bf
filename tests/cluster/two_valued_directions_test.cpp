#include "cluster/two_valued_directions.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::cluster {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using measure::RowMatrix;

constexpr Index kRows = 4000;

/// Mean 0 and covariance one under equal weights, by a linear map.
RowMatrix whitened(RowMatrix rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  const Eigen::MatrixXd covariance = rows.transpose() * rows / static_cast<double>(rows.rows());
  const Eigen::LLT<Eigen::MatrixXd> cholesky(covariance);
  return cholesky.matrixL().solve(rows.transpose()).transpose();
}

/// Clusters `members` of a fiftieth each, as columns of their own, among columns that run along a
/// line: cosines of one uniform variable, as eigenvectors of a walk there. All mixed at random.
RowMatrix mixed(const std::vector<std::vector<Index>>& members, std::uint64_t seed) {
  Rng rng(seed);
  const auto clusters = static_cast<Index>(members.size());
  RowMatrix rows = RowMatrix::Zero(kRows, clusters + 3);
  for (Index i = 0; i < kRows; ++i) {
    const double place = rng.uniform();
    for (Index c = 0; c < 3; ++c) {
      rows(i, clusters + c) = std::cos(static_cast<double>(c + 1) * std::numbers::pi * place);
    }
  }
  for (Index j = 0; j < clusters; ++j) {
    for (const Index i : members[static_cast<std::size_t>(j)]) rows(i, j) = 1.0;
  }
  RowMatrix mixing(rows.cols(), rows.cols());
  for (Index i = 0; i < mixing.size(); ++i) mixing.data()[i] = rng.normal();
  return whitened(rows * mixing);
}

std::vector<Index> from_to(Index begin, Index end) {
  std::vector<Index> all;
  for (Index i = begin; i < end; ++i) all.push_back(i);
  return all;
}

/// The share of a cluster's indicator function that the span of the columns of `coordinates`
/// explains: 1 where a direction tells it from the rest exactly.
double told(const RowMatrix& coordinates, const std::vector<Index>& members) {
  VectorXd indicator = VectorXd::Zero(kRows);
  for (const Index i : members) indicator[i] = 1.0;
  indicator.array() -= indicator.mean();
  const VectorXd fitted = coordinates.colPivHouseholderQr().solve(indicator);
  return (coordinates * fitted).squaredNorm() / indicator.squaredNorm();
}

TEST(TwoValuedDirections, FindTheOneThatTellsASmallClusterFromTheRest) {
  const auto members = from_to(0, 80);
  const RowMatrix rows = mixed({members}, 1);
  const VectorXd weights = VectorXd::Ones(kRows);
  const auto found = two_valued_directions(rows, weights, 1, 1);
  EXPECT_NEAR(found.bimodality[0], 1.0, 1e-6);
  EXPECT_NEAR(told(rows * found.axes, members), 1.0, 1e-4);
}

TEST(TwoValuedDirections, FindSeveralClustersOfDifferentSize) {
  const auto first = from_to(0, 80), second = from_to(80, 880);
  const RowMatrix rows = mixed({first, second}, 2);
  const auto found = two_valued_directions(rows, VectorXd::Ones(kRows), 2, 2);
  EXPECT_NEAR((found.axes.transpose() * found.axes - RowMatrix::Identity(2, 2)).norm(), 0.0, 1e-9);
  EXPECT_NEAR(told(rows * found.axes, first), 1.0, 1e-4);
  EXPECT_NEAR(told(rows * found.axes, second), 1.0, 1e-4);
}

TEST(TwoValuedDirections, SayHowNearlyTheirCoordinateHasTwoValues) {
  Rng rng(3);
  RowMatrix rows(kRows, 3);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = std::pow(rng.uniform(), 3);
  rows = whitened(rows);
  const auto found = two_valued_directions(rows, VectorXd::Ones(kRows), 1, 1);
  const Eigen::ArrayXd y = (rows * found.axes).col(0).array();
  EXPECT_NEAR(found.bimodality[0],
              (std::pow(y.cube().mean(), 2) + 1.0) / y.square().square().mean(), 1e-9);
  // No direction of many tried is better.
  for (int trial = 0; trial < 300; ++trial) {
    VectorXd w(3);
    for (double& value : w) value = rng.normal();
    const Eigen::ArrayXd other = (rows * w.normalized()).array();
    EXPECT_LE((std::pow(other.cube().mean(), 2) + 1.0) / other.square().square().mean(),
              found.bimodality[0] + 1e-9);
  }
}

TEST(TwoValuedDirections, CountRowsByTheirWeights) {
  const auto members = from_to(0, 80);
  RowMatrix rows = mixed({members}, 4);
  // Every row of the second half twice, by weight and by itself.
  VectorXd weights = VectorXd::Ones(kRows);
  weights.tail(kRows / 2).setConstant(2.0);
  RowMatrix twice(kRows + kRows / 2, rows.cols());
  twice << rows, rows.bottomRows(kRows / 2);
  const auto by_weight = two_valued_directions(rows, weights, 2, 1);
  const auto by_rows = two_valued_directions(twice, VectorXd::Ones(twice.rows()), 2, 1);
  EXPECT_NEAR((by_weight.axes - by_rows.axes).norm(), 0.0, 1e-5);
}

TEST(TwoValuedDirections, AreTheAxesWhereAllAreWanted) {
  const RowMatrix rows = mixed({from_to(0, 80)}, 5);
  const auto found = two_valued_directions(rows, VectorXd::Ones(kRows), 4, 1);
  EXPECT_TRUE(found.axes.isIdentity(0.0));
  EXPECT_EQ(found.bimodality.size(), 4u);
}

TEST(TwoValuedDirections, AreNeverMoreThanThereAreCoordinates) {
  const RowMatrix rows = mixed({from_to(0, 80)}, 6);
  EXPECT_THROW(static_cast<void>(two_valued_directions(rows, VectorXd::Ones(kRows), 5, 1)),
               InvalidArgument);
}

}  // namespace
}  // namespace nw::cluster
