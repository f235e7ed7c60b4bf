// Whether an adapted classifier is trusted: by predictions with known faults.
#include "app/adaptation/safeguard.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

#include "app/adaptation/training.hpp"

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

/// Judges with the plain classifier's shares of named classes for all ways of counting.
Safeguard judge(const adapt::Prediction& plain, const adapt::Prediction& adapted,
                double consistency) {
  const auto named = predicted_shares(plain.predicted, kClasses);
  return judge_adaptation(plain, adapted, consistency,
                          {.named = named, .estimated = named, .confused = named});
}

TEST(JudgeAdaptation, TrustsAClassifierThatCorrectsAPoorOne) {
  // The plain classifier is wrong for more than half of its rows.
  const auto found = judge(noisy_classes(0.7, 1), noisy_classes(0.02, 2), 0.98);
  EXPECT_TRUE(found.trusted);
  EXPECT_LT(found.agreement, 0.6);
  EXPECT_DOUBLE_EQ(found.same_names, found.best_names);
}

TEST(JudgeAdaptation, NoticesClassesThatChangedPlaces) {
  const auto found = judge(noisy_classes(0.3, 1), noisy_classes(0.02, 2, {1, 0, 2, 3}), 0.98);
  EXPECT_FALSE(found.trusted);
  EXPECT_GT(found.best_names, found.same_names + 0.2);
  EXPECT_THAT(found.reason, HasSubstr("exchanged classes"));
}

TEST(JudgeAdaptation, NoticesACycleOfThreeClassesAndInconsistentProportions) {
  EXPECT_FALSE(judge(noisy_classes(0.3, 1), noisy_classes(0.1, 2, {1, 2, 0, 3}), 0.98).trusted);
  EXPECT_FALSE(judge(noisy_classes(0.1, 1), noisy_classes(0.1, 2), 0.5).trusted);
}

TEST(JudgeAdaptation, AllowsClassesThatNobodyNames) {
  const std::vector<std::int64_t> merged{0, 0, 2, 3};
  const auto found = judge(noisy_classes(0.1, 1, merged), noisy_classes(0.1, 2, merged), 0.95);
  EXPECT_TRUE(found.trusted);
  EXPECT_GT(found.same_names, 0.8);
  EXPECT_THROW((void)judge({}, noisy_classes(0.1, 2), 1.0), InvalidArgument);
}

/// Predictions of `classes` classes.
adapt::Prediction named(std::vector<std::int64_t> predicted, std::int64_t classes) {
  adapt::Prediction made;
  made.posterior = torch::full({static_cast<std::int64_t>(predicted.size()), classes},
                               1.0 / static_cast<double>(classes));
  made.predicted = std::move(predicted);
  return made;
}

TEST(JudgeAdaptation, NoticesThatAllRowsHaveOneClassEvenWherePiCollapsedToo) {
  const auto plain = noisy_classes(0.5, 1);
  const auto adapted = noisy_classes(0.0, 2, {2, 2, 2, 2});
  const auto shares = predicted_shares(plain.predicted, kClasses);
  // Expectation maximisation on the plain classifier's posteriors collapses as the adapted one's
  // does; predicted classes and proportions then agree completely.
  const auto found =
      judge_adaptation(plain, adapted, 1.0,
                       {.named = shares, .estimated = {0.0, 0.02, 0.97, 0.01}, .confused = shares});
  EXPECT_FALSE(found.trusted);
  EXPECT_TRUE(found.collapsed);
  EXPECT_THAT(found.reason, HasSubstr("100 % of the rows are given one class, which has 24 %"));
  EXPECT_THAT(found.reason, HasSubstr("as many as 1 equally frequent ones instead of 4"));
}

TEST(JudgeAdaptation, TrustsThatATargetHasOneClassWhereThePlainClassifierFindsItToo) {
  std::vector<std::int64_t> plain, adapted(1000, 0);
  for (std::int64_t i = 0; i < 1000; ++i) plain.push_back(i % 4 == 0 ? 1 : 0);
  const std::vector<double> shares{0.75, 0.25};
  const auto found = judge_adaptation(named(plain, 2), named(adapted, 2), 0.98,
                                      {.named = shares, .estimated = shares, .confused = shares});
  EXPECT_TRUE(found.trusted);
  EXPECT_FALSE(found.collapsed);
}

TEST(JudgeAdaptation, TrustsTheTruthUnderStrongLabelShiftAgainstAClassifierThatIsWrongForAThird) {
  // Ten classes in proportions from a Dirichlet of 0.3; the plain classifier names a random class
  // in four of ten rows, and all three ways of counting are deceived by that.
  constexpr std::int64_t kTen = 10;
  int collapsed_are_noticed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    std::mt19937_64 gamma_source(seed);
    std::gamma_distribution<double> gamma(0.3);
    std::vector<double> pi;
    double sum = 0.0;
    for (int j = 0; j < kTen; ++j) {
      pi.push_back(gamma(gamma_source));
      sum += pi.back();
    }
    for (double& share : pi) share /= sum;
    std::vector<std::int64_t> truth, plain;
    for (std::int64_t i = 0; i < kRows; ++i) {
      truth.push_back(static_cast<std::int64_t>(rng.categorical(pi)));
      plain.push_back(rng.uniform() < 0.4 ? static_cast<std::int64_t>(rng.below(kTen))
                                          : truth.back());
    }
    const auto shares = predicted_shares(plain, kTen);
    const CountedShares counted{.named = shares, .estimated = shares, .confused = shares};
    EXPECT_FALSE(judge_adaptation(named(plain, kTen), named(truth, kTen), 1.0, counted).collapsed)
        << seed;
    const std::vector<std::int64_t> last(kRows, static_cast<std::int64_t>(seed % kTen));
    collapsed_are_noticed +=
        judge_adaptation(named(plain, kTen), named(last, kTen), 1.0, counted).collapsed ? 1 : 0;
  }
  EXPECT_GE(collapsed_are_noticed, 18);
}

TEST(EffectiveClasses, CountsThoseThatAreEquallyFrequent) {
  EXPECT_NEAR(effective_classes({0.25, 0.25, 0.25, 0.25}), 4.0, 1e-12);
  EXPECT_DOUBLE_EQ(effective_classes({0.0, 1.0, 0.0}), 1.0);
  EXPECT_NEAR(effective_classes({0.5, 0.5, 0.0}), 2.0, 1e-12);
}

}  // namespace
}  // namespace nw::app
