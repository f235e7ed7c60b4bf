// Two trainings judged, by outcomes with a known fault.
#include "app/adaptation/judge_outcome.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nw::app {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kRows = 300;

/// Names class i % 3 for row i, but that class 2 becomes `third`.
AdaptOutcome outcome(std::int64_t third, const std::vector<double>& pi) {
  AdaptOutcome made;
  for (std::int64_t i = 0; i < kRows; ++i) {
    made.target.predicted.push_back(i % 3 == 2 ? third : i % 3);
  }
  made.target.posterior = torch::full({kRows, 3}, 1.0 / 3.0);
  made.pi = made.confused = pi;
  made.interval = {.likely = pi, .low = pi, .high = pi};
  made.consistency = 1.0;
  return made;
}

const adapt::Classes kClasses{{"a", "b", "c"}};

TEST(JudgeOutcome, SaysWhichClassIsLostAndWidensTheIntervalToBothEstimates) {
  const auto plain = outcome(2, {0.3, 0.3, 0.4});
  auto adapted = outcome(1, {0.3, 0.7, 0.0});
  const auto judged = judge_outcome(plain, adapted, kClasses, {});
  EXPECT_TRUE(judged.trusted);
  EXPECT_EQ(judged.summary.chosen, "nw");
  EXPECT_THAT(judged.lost, HasSubstr("Class c has almost vanished"));
  EXPECT_THAT(judged.summary.reason, HasSubstr(judged.lost));
  EXPECT_EQ(adapted.interval.low, (std::vector<double>{0.3, 0.3, 0.0}));
  EXPECT_EQ(adapted.interval.high, (std::vector<double>{0.3, 0.7, 0.4}));
  EXPECT_FALSE(judged.summary.unadapted_accuracy.has_value());
  ASSERT_EQ(judged.differing.size(), 100U);
  EXPECT_EQ(judged.differing[0].row, 2U);
}

TEST(JudgeOutcome, FallsBackWhereAllRowsHaveOneClassAndBothEstimatesOfPiSayTheSame) {
  auto plain = outcome(2, {0.0, 1.0, 0.0});
  plain.confused = {0.3, 0.3, 0.4};
  auto adapted = outcome(1, {0.0, 1.0, 0.0});
  std::ranges::fill(adapted.target.predicted, 1);
  const auto judged = judge_outcome(plain, adapted, kClasses, {});
  EXPECT_FALSE(judged.trusted);
  EXPECT_EQ(judged.summary.chosen, "source-only");
  EXPECT_THAT(judged.summary.reason, HasSubstr("Adaptation lost most classes"));
}

TEST(JudgeOutcome, LeavesIntervalsAloneWhereNoClassIsLost) {
  const auto plain = outcome(2, {0.3, 0.3, 0.4});
  auto adapted = outcome(2, {0.33, 0.33, 0.34});
  std::vector<std::int64_t> truth;
  for (std::int64_t i = 0; i < kRows; ++i) truth.push_back(i % 3);
  const auto judged = judge_outcome(plain, adapted, kClasses, truth);
  EXPECT_EQ(judged.lost, "");
  EXPECT_EQ(adapted.interval.high, (std::vector<double>{0.33, 0.33, 0.34}));
  EXPECT_DOUBLE_EQ(judged.summary.unadapted_accuracy.value(), 1.0);
}

}  // namespace
}  // namespace nw::app
