#include "nw/base/rng.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(Rng, SameSeedGivesTheSameNumbersAndAnotherSeedDoesNot) {
  Rng a(7), b(7), c(8);
  for (int i = 0; i < 100; ++i) {
    const auto value = a.bits();
    EXPECT_EQ(value, b.bits());
    EXPECT_NE(value, c.bits());
  }
}

TEST(Rng, SplitDoesNotDependOnWhatWasDrawn) {
  Rng a(7), b(7);
  (void)b.bits();
  EXPECT_EQ(a.split(3).bits(), b.split(3).bits());
  EXPECT_NE(a.split(3).bits(), a.split(4).bits());
}

TEST(Rng, GoesOnFromItsStateAsIfNothingHadHappened) {
  Rng rng(11);
  for (int i = 0; i < 7; ++i) static_cast<void>(rng.normal());  // an odd number leaves one spare
  Rng again(rng.state());
  EXPECT_EQ(again.state(), rng.state());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(again.normal(), rng.normal());
  EXPECT_EQ(again.split(3).bits(), rng.split(3).bits());
}

TEST(Rng, NormalHasTheMomentsOfAStandardNormal) {
  Rng rng(1);
  constexpr int kDraws = 200000;
  std::array<double, 5> moment{};
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    for (int p = 1; p <= 4; ++p) moment[static_cast<std::size_t>(p)] += std::pow(x, p) / kDraws;
  }
  EXPECT_NEAR(moment[1], 0.0, 0.012);  // five standard errors each
  EXPECT_NEAR(moment[2], 1.0, 0.016);
  EXPECT_NEAR(moment[3], 0.0, 0.044);
  EXPECT_NEAR(moment[4], 3.0, 0.11);
}

TEST(Rng, CategoricalFollowsTheWeightsAndNeverDrawsZeroWeight) {
  Rng rng(2);
  const std::array<double, 4> weights{0.0, 1.0, 3.0, 0.0};
  std::array<int, 4> counts{};
  for (int i = 0; i < 40000; ++i) ++counts[rng.categorical(weights)];
  EXPECT_EQ(counts[0], 0);
  EXPECT_EQ(counts[3], 0);
  EXPECT_NEAR(counts[1], 10000, 450);
}

TEST(Rng, BelowIsUniformOverItsRange) {
  Rng rng(3);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts[rng.below(6)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

}  // namespace
}  // namespace nw
