#include "nw/gan/mode_errors.hpp"

#include <gtest/gtest.h>

namespace nw::gan {
namespace {

// Two modes of four points each around (0, 0) and (10, 0).
Matrix cloud(double dx, double spread) {
  Matrix points(8, 2);
  const double offsets[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (std::size_t i = 0; i < 8; ++i) {
    points(i, 0) = (i < 4 ? 0.0 : 10.0) + dx + spread * offsets[i % 4][0];
    points(i, 1) = spread * offsets[i % 4][1];
  }
  return points;
}

Matrix centres() {
  return Matrix({0.0, 0.0, 10.0, 0.0}, 2, 2);
}

TEST(ModeErrors, VanishForEqualPoints) {
  const auto errors = mode_errors(centres(), cloud(0, 1), cloud(0, 1));
  EXPECT_EQ(errors.mean_error, 0.0);
  EXPECT_EQ(errors.covariance_error, 0.0);
  EXPECT_EQ(errors.proportion_error, 0.0);
  EXPECT_EQ(errors.modes, 2);
}

TEST(ModeErrors, AverageSquaresOverCoordinatesAndModes) {
  // A shift by 0.3 in one of two coordinates of every mode.
  EXPECT_NEAR(mode_errors(centres(), cloud(0, 1), cloud(0.3, 1)).mean_error, 0.09 / 2, 1e-12);
  // Variances 1/2 against 2 on the diagonal, nothing beside it: 2 * 1.5^2 / 4.
  EXPECT_NEAR(mode_errors(centres(), cloud(0, 1), cloud(0, 2)).covariance_error, 2 * 2.25 / 4,
              1e-12);
}

TEST(ModeErrors, NormaliseTheErrorOfTheShares) {
  Matrix skewed(4, 2);
  skewed(3, 0) = 10.0;  // shares 3/4 and 1/4 against 1/2 each
  const auto errors = mode_errors(centres(), cloud(0, 1), skewed);
  EXPECT_NEAR(errors.proportion_error, 2 * 0.0625 / 0.5, 1e-12);
  EXPECT_EQ(errors.modes, 2);
}

TEST(ModeErrors, CountTheModesThatAreThere) {
  Matrix one(4, 2);
  const auto errors = mode_errors(centres(), cloud(0, 1), one);
  EXPECT_EQ(errors.modes, 1);
  EXPECT_NEAR(errors.proportion_error, 2 * 0.25 / 0.5, 1e-12);
}

}  // namespace
}  // namespace nw::gan
