#include "nw/adapt/label_shift.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

/// Posteriors of two normal distributions at -1 and 1 under equal proportions, for rows of which
/// the share `second` comes from the second one.
Matrix posteriors(std::size_t rows, double second, std::uint64_t seed) {
  Rng rng(seed);
  Matrix result(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const double centre = rng.uniform() < second ? 1.0 : -1.0;
    const double x = centre + rng.normal();
    result(i, 1) = 1.0 / (1.0 + std::exp(-2.0 * x));
    result(i, 0) = 1.0 - result(i, 1);
  }
  return result;
}

const std::vector<double> kEqual{0.5, 0.5};

TEST(LikelyProportions, FindsTheSharesBehindOverlappingClasses) {
  // The mean posterior would give 0.29: the classes overlap.
  const auto pi = likely_proportions(posteriors(20000, 0.2, 1), kEqual);
  EXPECT_NEAR(pi[1], 0.2, 0.02);
  EXPECT_NEAR(pi[0] + pi[1], 1.0, 1e-12);
}

TEST(LikelyProportions, MaximisesTheLikelihood) {
  const Matrix rows = posteriors(300, 0.3, 2);
  const auto likelihood = [&](double second) {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      sum += std::log((1.0 - second) * rows(i, 0) + second * rows(i, 1));
    }
    return sum;
  };
  const double found = likely_proportions(rows, kEqual)[1];
  for (const double other : {found - 0.01, found + 0.01}) {
    EXPECT_GT(likelihood(found), likelihood(other));
  }
}

TEST(LikelyProportions, CountsARowAsOftenAsItIsThere) {
  const Matrix rows = posteriors(40, 0.5, 3);
  Matrix repeated(60, 2);
  std::vector<std::uint32_t> counts(40, 1);
  std::size_t at = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    counts[i] = i % 2 == 0 ? 2 : 1;
    for (std::uint32_t c = 0; c < counts[i]; ++c, ++at) {
      repeated(at, 0) = rows(i, 0);
      repeated(at, 1) = rows(i, 1);
    }
  }
  EXPECT_NEAR(likely_proportions(rows, kEqual, counts)[0], likely_proportions(repeated, kEqual)[0],
              1e-9);
}

TEST(ConfusedProportions, InvertsTheConfusionWhereThatGivesProportions) {
  const Matrix confusion({0.8, 0.1, 0.0, 0.2, 0.7, 0.3, 0.0, 0.2, 0.7}, 3, 3);
  const std::vector<double> truth{0.1, 0.3, 0.6}, prior{0.6, 0.3, 0.1};
  std::vector<double> predicted(3, 0.0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) predicted[i] += confusion(i, j) * truth[j];
  }
  const auto found = confused_proportions(confusion, predicted, prior, /*ridge=*/0.0);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[j], truth[j], 1e-5);
}

TEST(ConfusedProportions, StaysOnTheSimplexWhereInversionLeavesIt) {
  const Matrix confusion({0.6, 0.4, 0.4, 0.6}, 2, 2);
  // Inversion gives (1.5, -0.5).
  const auto found = confused_proportions(confusion, std::vector<double>{0.7, 0.3}, kEqual, 0.0);
  EXPECT_NEAR(found[0], 1.0, 1e-6);
  EXPECT_NEAR(found[1], 0.0, 1e-6);
}

TEST(BootstrapProportions, CoversTheTruthAboutAsOftenAsItSays) {
  int covered = 0;
  constexpr int kTrials = 40;
  for (int t = 0; t < kTrials; ++t) {
    const Matrix rows = posteriors(400, 0.25, 100 + static_cast<std::uint64_t>(t));
    const auto likely = likely_proportions(rows, kEqual);
    const auto found = bootstrap_proportions({rows, kEqual}, likely, Rng(7));
    covered += found.low[1] <= 0.25 && 0.25 <= found.high[1];
  }
  EXPECT_GE(covered, 34);  // 95 % of 40 is 38; below 34 has a chance of 0.4 %
}

TEST(BootstrapProportions, TakesDisagreementOfTwoEstimatesForUncertainty) {
  const Matrix rows = posteriors(2000, 0.25, 5);
  const auto found =
      bootstrap_proportions({rows, kEqual}, std::vector<double>{0.5, 0.5}, Rng(1), {.samples = 50});
  EXPECT_LE(found.low[1], 0.25 + 0.03);
  EXPECT_GE(found.high[1], 0.5);
}

TEST(Score, CountsClassByClassAndSetsUnknownClassesApart) {
  const std::vector<std::int64_t> truth{0, 0, 0, 2, -1}, predicted{0, 1, 0, 2, 1};
  const auto scores = score(truth, predicted, 3);
  EXPECT_DOUBLE_EQ(scores.accuracy, 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(scores.class_accuracy[0], 2.0 / 3.0);
  EXPECT_TRUE(std::isnan(scores.class_accuracy[1]));
  EXPECT_DOUBLE_EQ(scores.mean_class_accuracy, (2.0 / 3.0 + 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(scores.proportions[0], 0.75);
  EXPECT_EQ(scores.unknown_rows, 1U);
  EXPECT_DOUBLE_EQ(scores.confusion(0, 1), 1.0);
}

}  // namespace
}  // namespace nw::adapt
