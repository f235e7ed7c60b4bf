#include "nw/measure/choose_k.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "measure/mixtures.hpp"

namespace nw::measure {
namespace {

using testing::draw_ring;
using ::testing::HasSubstr;

TEST(ChooseK, FindsTheEightSharedModesOfSettingOneAndNeverIncreases) {
  Rng data(1), rng(1);
  const Matrix x = draw_ring({.rows = 300}, data);
  const Matrix y = draw_ring({.rows = 300, .pi = testing::ring_proportions(true)}, data);
  const ChooseKResult result = choose_k({x, {}}, {y, {}}, {.max_k = 10}, rng);
  EXPECT_EQ(result.k, 8u);
  EXPECT_TRUE(result.reached_floor);
  EXPECT_TRUE(result.clear);
  EXPECT_THAT(result.reason, HasSubstr("NW(8)"));
  for (std::size_t i = 1; i < result.curve.size(); ++i) {
    EXPECT_LE(result.curve[i].nw, result.curve[i - 1].nw + 1e-12);
    EXPECT_NEAR(result.curve[i].drop, result.curve[i - 1].nw - result.curve[i].nw, 1e-12);
  }
  for (const auto& point : result.curve) {
    EXPECT_LE(point.nw_low, point.nw);
    EXPECT_GE(point.nw_high, point.nw);
    EXPECT_EQ(result.fit(point.k).mixture.size(), point.k);
  }
}

TEST(ChooseK, CountsModesThatOnlyOneSampleHas) {
  // Three modes in X, two of them in Y with a new one: n1 + n2 - r = 3 + 3 - 2 = 4 [NW:thm1].
  Rng data(2), rng(1);
  const Matrix x = draw_ring({.rows = 300, .pi = {0.3, 0.0, 0.3, 0.0, 0.4, 0.0, 0.0, 0.0}}, data);
  const Matrix y = draw_ring({.rows = 300, .pi = {0.0, 0.0, 0.5, 0.0, 0.2, 0.0, 0.3, 0.0}}, data);
  EXPECT_EQ(choose_k({x, {}}, {y, {}}, {.max_k = 6}, rng).k, 4u);
}

TEST(ChooseK, FindsOneForASingleGaussian) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Rng data(seed), rng(seed);
    const Matrix x = testing::draw_gaussian(400, 2, data);
    const ChooseKResult result = choose_k({x, {}}, {.max_k = 4, .beyond_floor = 1}, rng);
    EXPECT_EQ(result.k, 1u) << result.reason;
  }
}

TEST(ChooseK, SaysWhenNoKReachesTheFloor) {
  Rng data(3), rng(1);
  const Matrix x = draw_ring({.rows = 300, .deviation = 0.1}, data);
  const ChooseKResult result = choose_k({x, {}}, {.max_k = 4}, rng);
  EXPECT_FALSE(result.reached_floor);
  EXPECT_THAT(result.reason, HasSubstr("no k up to 4"));
}

TEST(ChooseK, NeverAsksForMoreComponentsThanRows) {
  Rng data(3), rng(1);
  const Matrix x = testing::draw_gaussian(3, 2, data);
  const ChooseKResult result = choose_k({x, {}}, {.max_k = 9, .beyond_floor = 0}, rng);
  EXPECT_EQ(result.curve.back().k, 3u);
  EXPECT_THROW((void)result.fit(7), InvalidArgument);
}

TEST(ChooseKOptions, RejectAnEmptyRange) {
  Rng rng(1);
  const Matrix x(10, 2);
  EXPECT_THROW((void)choose_k({x, {}}, {.min_k = 4, .max_k = 3}, rng), InvalidArgument);
}

}  // namespace
}  // namespace nw::measure
