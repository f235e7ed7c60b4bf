#include "nw/record/projection.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::record {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

/// Normal points whose column j has deviation `deviations[j]`.
Matrix normal_points(std::size_t rows, const std::vector<double>& deviations, Rng& rng) {
  Matrix points(rows, deviations.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < deviations.size(); ++j) {
      points(i, j) = 5.0 + deviations[j] * rng.normal();
    }
  }
  return points;
}

TEST(Projection, ShowsTheColumnsThemselvesWhenThereAreTwo) {
  const Matrix x({1, 2, 3, 4}, 2, 2);
  const Projection projection(x, {}, {"width", "height"});
  ASSERT_EQ(projection.axes().size(), 2u);
  EXPECT_EQ(projection.axes()[1].name, "height");
  EXPECT_EQ(projection.axes()[0].variance_share, 0.5);
  EXPECT_EQ(projection.point(x.row(1)), FigurePoint({3, 4}));
  const Matrix covariance({2, 1, 1, 3}, 2, 2);
  EXPECT_THAT(projection.covariance(covariance), ElementsAre(2, 1, 1, 3));
}

TEST(Projection, FindsTheDirectionsOfLargestVariance) {
  Rng rng(1);
  const Matrix x = normal_points(400, {0.1, 3.0, 0.2, 7.0, 1.0}, rng);
  const Matrix y = normal_points(300, {0.1, 3.0, 0.2, 7.0, 1.0}, rng);
  const Projection projection(x, y);
  ASSERT_EQ(projection.axes().size(), 3u);
  EXPECT_NEAR(projection.axes()[0].variance_share, 49.0 / 59.05, 0.03);
  EXPECT_NEAR(projection.axes()[1].variance_share, 9.0 / 59.05, 0.03);
  // Moving along column 3 moves the picture along axis 1 by nearly the same length.
  std::vector<double> row(5, 5.0), moved = row;
  moved[3] += 1.0;
  EXPECT_NEAR(projection.point(moved)[0] - projection.point(row)[0], 1.0, 0.01);
}

TEST(Projection, GivesTheSamePictureFromRowsAsFromColumns) {
  // 12 columns and 8 rows take the Gram matrix; repeating each row thrice takes the covariance
  // and changes neither mean nor axes.
  Rng rng(2);
  const Matrix few = normal_points(8, std::vector<double>(12, 1.0), rng);
  Matrix many(24, 12);
  for (std::size_t i = 0; i < 24; ++i) {
    for (std::size_t j = 0; j < 12; ++j) many(i, j) = few(i % 8, j);
  }
  const Projection by_rows(few, {}), by_columns(many, {});
  for (std::size_t i = 0; i < 8; ++i) {
    const FigurePoint a = by_rows.point(few.row(i)), b = by_columns.point(few.row(i));
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], 1e-9);
  }
  EXPECT_NEAR(by_rows.axes()[2].variance_share, by_columns.axes()[2].variance_share, 1e-12);
}

TEST(Projection, ProjectsTheCovarianceAsItProjectsThePoints) {
  Rng rng(3);
  const Matrix x = normal_points(500, {1.0, 2.0, 3.0, 4.0}, rng);
  const Projection projection(x, {});
  Matrix covariance(4, 4);
  for (std::size_t j = 0; j < 4; ++j) covariance(j, j) = static_cast<double>((j + 1) * (j + 1));
  const auto projected = projection.covariance(covariance);
  // In a direction u the variance is sum_j u_j^2 deviation_j^2; u follows from moving one column.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double expected = 0.0;
    const std::vector<double> zero(4, 0.0);
    for (std::size_t j = 0; j < 4; ++j) {
      auto unit = zero;
      unit[j] = 1.0;
      const double u = projection.point(unit)[axis] - projection.point(zero)[axis];
      expected += u * u * covariance(j, j);
    }
    EXPECT_THAT(projected[axis * 3 + axis], DoubleNear(expected, 1e-10));
  }
}

TEST(Projection, CopesWithConstantData) {
  const Projection projection(Matrix(3, 4, 2.0), {});
  for (const FigureAxis& axis : projection.axes()) EXPECT_EQ(axis.variance_share, 0.0);
}

TEST(Projection, RejectsSamplesOfDifferentDimension) {
  EXPECT_THROW(Projection(Matrix(2, 3), Matrix(2, 4)), InvalidArgument);
  EXPECT_THROW(Projection(MatrixView(), MatrixView()), InvalidArgument);
}

TEST(SpreadIndices, CoverTheWholeRangeEvenly) {
  EXPECT_THAT(spread_indices(3, 10), ElementsAre(0, 1, 2));
  EXPECT_THAT(spread_indices(100, 4), ElementsAre(12, 37, 62, 87));
  EXPECT_TRUE(spread_indices(5, 0).empty());
}

TEST(SampleByMass, KeepsEverythingThatFits) {
  EXPECT_THAT(sample_by_mass(std::vector<double>{0.5, 0.0, 0.5}, 5), ElementsAre(0, 2));
}

TEST(SampleByMass, TakesEntriesInProportionToTheirMass) {
  // The first half of the entries carries nine tenths of the mass.
  std::vector<double> mass(2000, 0.1);
  for (std::size_t i = 0; i < 1000; ++i) mass[i] = 0.9;
  const auto chosen = sample_by_mass(mass, 200);
  EXPECT_EQ(chosen.size(), 200u);
  const auto early =
      std::count_if(chosen.begin(), chosen.end(), [](std::size_t i) { return i < 1000; });
  EXPECT_NEAR(static_cast<double>(early), 180.0, 1.0);
}

TEST(SampleByMass, LetsNoHeavyEntryDragItsLightNeighboursIn) {
  std::vector<double> mass(1000, 1.0);
  mass[0] = 1000.0;
  const auto chosen = sample_by_mass(mass, 20);
  ASSERT_EQ(chosen.size(), 11u);
  EXPECT_EQ(chosen[0], 0u);
  EXPECT_GT(chosen[1], 20u);
}

TEST(DrawCouplings, JoinsTheRowsThatThePlanNames) {
  const Matrix x({0, 0, 1, 0}, 2, 2), y({5, 5, 6, 6, 7, 7}, 3, 2);
  const Projection projection(x, y);
  const std::vector<MassFlow> plan = {{0, 2, 0.25}, {1, 1, 0.75}, {0, 0, 0.0}};
  const auto couplings = draw_couplings(projection, x, y, plan);
  ASSERT_EQ(couplings.size(), 2u);
  EXPECT_EQ(couplings[0], (FigureCoupling{{0, 0}, {7, 7}, 0.25}));
  EXPECT_EQ(couplings[1], (FigureCoupling{{1, 0}, {6, 6}, 0.75}));
  EXPECT_THROW((void)draw_couplings(projection, x, y, std::vector<MassFlow>{{0, 3, 1.0}}),
               InvalidArgument);
}

}  // namespace
}  // namespace nw::record
