// Whether an adapted classifier is trusted: by predictions with known faults.
#include "app/adaptation/safeguard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kClasses = 4;
constexpr std::int64_t kRows = 2000;

/// The class i % 4 for row i, but for a share of rows with a random one; then renamed.
adapt::Prediction noisy_classes(double wrong, std::uint64_t seed,
                                const std::vector<std::int64_t>& names = {0, 1, 2, 3}) {
  Rng rng(seed);
  adapt::Prediction made;
  for (std::int64_t i = 0; i < kRows; ++i) {
    const auto own =
        rng.uniform() < wrong ? static_cast<std::int64_t>(rng.below(kClasses)) : i % kClasses;
    made.predicted.push_back(names[static_cast<std::size_t>(own)]);
  }
  made.posterior = torch::full({kRows, kClasses}, 0.25);
  return made;
}

TEST(JudgeAdaptation, TrustsAClassifierThatCorrectsAPoorOne) {
  // The plain classifier is wrong for more than half of its rows.
  const auto found = judge_adaptation(noisy_classes(0.7, 1), noisy_classes(0.02, 2), 0.98);
  EXPECT_TRUE(found.trusted);
  EXPECT_LT(found.agreement, 0.6);
  EXPECT_DOUBLE_EQ(found.same_names, found.best_names);
}

TEST(JudgeAdaptation, NoticesClassesThatChangedPlaces) {
  const auto found =
      judge_adaptation(noisy_classes(0.3, 1), noisy_classes(0.02, 2, {1, 0, 2, 3}), 0.98);
  EXPECT_FALSE(found.trusted);
  EXPECT_GT(found.best_names, found.same_names + 0.2);
  EXPECT_THAT(found.reason, HasSubstr("exchanged classes"));
}

TEST(JudgeAdaptation, NoticesACycleOfThreeClassesAndInconsistentProportions) {
  EXPECT_FALSE(
      judge_adaptation(noisy_classes(0.3, 1), noisy_classes(0.1, 2, {1, 2, 0, 3}), 0.98).trusted);
  EXPECT_FALSE(judge_adaptation(noisy_classes(0.1, 1), noisy_classes(0.1, 2), 0.5).trusted);
}

TEST(JudgeAdaptation, AllowsClassesThatNobodyNames) {
  const std::vector<std::int64_t> merged{0, 0, 2, 3};
  const auto found =
      judge_adaptation(noisy_classes(0.1, 1, merged), noisy_classes(0.1, 2, merged), 0.95);
  EXPECT_TRUE(found.trusted);
  EXPECT_GT(found.same_names, 0.8);
  EXPECT_THROW((void)judge_adaptation({}, noisy_classes(0.1, 2), 1.0), InvalidArgument);
}

}  // namespace
}  // namespace nw::app
