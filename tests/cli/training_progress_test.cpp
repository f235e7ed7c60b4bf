#include "cli/training_progress.hpp"

#include <gtest/gtest.h>

namespace nw::cli {
namespace {

TEST(DescribeTraining, NamesStepRateLossesProportionsAndTheTimeLeft) {
  const TrainingStatus status{
      .step = 1000, .total = 5000, .losses = {{"critic/objective", 0.5217}}, .pi = {0.1, 0.2, 0.7}};
  EXPECT_EQ(describe(status, 200.0),
            "1000/5000, 200 steps/s, 20 s left, pi 0.10 0.20 0.70, objective 0.522");
}

TEST(DescribeTraining, LeavesOutWhatIsNotKnownYet) {
  EXPECT_EQ(describe({.step = 0, .total = 10}, 0.0), "0/10");
}

TEST(DescribeTraining, ShowsTheFirstTenOfManyProportions) {
  const TrainingStatus status{.step = 1, .total = 2, .pi = std::vector<double>(12, 1.0 / 12)};
  const std::string text = describe(status, 0.0);
  EXPECT_TRUE(text.ends_with("0.08 ...")) << text;
}

TEST(DescribeDuration, ChangesItsUnitsWithTheLength) {
  EXPECT_EQ(describe_duration(59.4), "59 s");
  EXPECT_EQ(describe_duration(725), "12 min 5 s");
  EXPECT_EQ(describe_duration(3 * 3600 + 20 * 60 + 59), "3 h 20 min");
  EXPECT_EQ(describe_duration(-1), "0 s");
}

}  // namespace
}  // namespace nw::cli
