#include "app/adaptation/wider_intervals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

adapt::ProportionIntervals two() {
  return {.likely = {0.3, 0.7}, .low = {0.2, 0.6}, .high = {0.4, 0.7}};
}

TEST(WidenTo, HoldsTheOtherEstimateAndMovesNothingElse) {
  auto intervals = two();
  widen_to(intervals, {0.1, 0.65});
  EXPECT_THAT(intervals.low, ElementsAre(0.1, 0.6));
  EXPECT_THAT(intervals.high, ElementsAre(0.4, 0.7));
  EXPECT_THROW(widen_to(intervals, {1.0}), InvalidArgument);
}

TEST(WidenBy, MovesEveryEndByTheMeanWidthWithinZeroAndOne) {
  auto intervals = two();
  widen_by(intervals, 0.5);  // of a mean width of 0.15
  EXPECT_THAT(intervals.low, ElementsAre(DoubleNear(0.125, 1e-12), DoubleNear(0.525, 1e-12)));
  EXPECT_THAT(intervals.high, ElementsAre(DoubleNear(0.475, 1e-12), DoubleNear(0.775, 1e-12)));
  widen_by(intervals, 10.0);
  EXPECT_THAT(intervals.low, ElementsAre(0.0, 0.0));
  EXPECT_THAT(intervals.high, ElementsAre(1.0, 1.0));
}

}  // namespace
}  // namespace nw::app
