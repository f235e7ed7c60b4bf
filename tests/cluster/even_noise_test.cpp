#include "cluster/even_noise.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

namespace nw::cluster {
namespace {

/// Three round clouds in a box, and even noise over it from row `clouds` on.
Matrix clouds_and_noise(std::size_t clouds, std::size_t noise, std::size_t d, std::uint64_t seed) {
  Rng rng(seed);
  Matrix rows(clouds + noise, d);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      const double centre = (i + c) % 3 == 0 ? 6.0 : -6.0 + 2.0 * static_cast<double>(i % 3);
      rows(i, c) = i < clouds ? centre + rng.normal() : 24.0 * rng.uniform() - 12.0;
    }
  }
  return rows;
}

TEST(EvenNoise, FindsMostOfItAndLittleElse) {
  for (const std::size_t d : {2, 3}) {
    for (const std::size_t noise : {200, 500, 1000}) {
      const auto found = even_noise(clouds_and_noise(1800, noise, d, 10 * d + noise), 1);
      ASSERT_TRUE(found) << d << " columns, " << noise << " rows of noise";
      EXPECT_NEAR(found->expected / static_cast<double>(noise), 1.0, 0.4);
      double right = 0.0, wrong = 0.0;
      for (std::size_t i = 0; i < found->noise.size(); ++i) {
        if (found->noise[i]) (i < 1800 ? wrong : right) += 1.0;
      }
      EXPECT_GT(right, 0.5 * static_cast<double>(noise));
      EXPECT_LT(wrong, 0.12 * (right + wrong));
    }
  }
}

TEST(EvenNoise, SeesNoneWhereClustersThinOutIntoEmptySpace) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_FALSE(even_noise(clouds_and_noise(2000, 0, 2 + seed % 2, seed), 1)) << seed;
  }
}

TEST(EvenNoise, IsNoClusterThatFillsTheBox) {
  EXPECT_FALSE(even_noise(clouds_and_noise(0, 2000, 2, 3), 1));
}

TEST(EvenNoise, IsNotSoughtInManyColumnsFewRowsOrAConstantOne) {
  EXPECT_FALSE(even_noise(clouds_and_noise(1800, 500, 4, 1), 1));
  EXPECT_FALSE(even_noise(clouds_and_noise(100, 50, 2, 1), 1));
  Matrix flat = clouds_and_noise(1800, 500, 2, 1);
  for (std::size_t i = 0; i < flat.rows(); ++i) flat(i, 1) = 4.0;
  EXPECT_FALSE(even_noise(flat, 1));
}

TEST(EvenNoise, DoesNotDependOnUnitsOrThreads) {
  const Matrix rows = clouds_and_noise(1800, 500, 2, 5);
  Matrix other = rows;
  for (std::size_t i = 0; i < rows.rows(); ++i) other(i, 1) = 1024.0 * rows(i, 1);
  const auto found = even_noise(rows, 1), same = even_noise(other, 3);
  ASSERT_TRUE(found && same);
  EXPECT_EQ(found->noise, same->noise);
}

}  // namespace
}  // namespace nw::cluster
