#include <gtest/gtest.h>

#include "measure/presence.hpp"
#include "measure/proportion_bootstrap.hpp"
#include "measure/within_permutation.hpp"

namespace nw::measure {
namespace {

TEST(BinomialCdf, AgreesWithTheSumBelowTheMean) {
  // 0.7^3 for no success in three trials, plus 3 * 0.3 * 0.49 for one.
  EXPECT_NEAR(binomial_cdf(0.0, 3.0, 0.3), 0.343, 1e-12);
  EXPECT_NEAR(binomial_cdf(2.0, 10.0, 0.5), 56.0 / 1024.0, 1e-12);
  EXPECT_EQ(binomial_cdf(9.0, 10.0, 0.5), 1.0);
}

TEST(TestPresence, CallsAComponentAbsentOnlyOnEvidence) {
  const std::vector<double> x{0.5, 0.5, 0.0}, y{0.4, 0.4, 0.2};
  const PresenceTest many = test_presence(x, y, 1000, 1000, 0.1, 0.01);
  EXPECT_EQ(many.presence[2], Presence::only_y);
  EXPECT_EQ(many.presence[0], Presence::both);
  EXPECT_LT(many.p_all_present, 0.01);
  const PresenceTest few = test_presence(x, y, 20, 20, 0.1, 0.01);
  EXPECT_EQ(few.presence[2], Presence::both);
  const std::vector<double> rare{0.499, 0.499, 0.002};
  EXPECT_GT(test_presence(x, rare, 1000, 1000, 0.1, 0.01).p_all_present, 0.05);
}

TEST(TestPresence, SeesManySmallAbsencesTogetherThatNoneShowsAlone) {
  std::vector<double> x(16, 0.0), y(16, 0.0);
  for (std::size_t j = 0; j < 8; ++j) x[j] = y[j + 8] = 0.125;
  const PresenceTest test = test_presence(x, y, 200, 200, 0.1, 0.01);
  EXPECT_GT(test.p[0], 0.05);
  EXPECT_LT(test.p_all_present, 0.01);
  EXPECT_EQ(test.presence[0], Presence::only_x);
  EXPECT_EQ(test.presence[15], Presence::only_y);
}

TEST(WilsonInterval, MatchesAPublishedValue) {
  // 81 of 263 at 95 %: 0.2553 to 0.3662 (Newcombe 1998, table I, method 3).
  const Interval interval = wilson_interval(81.0 / 263.0, 263.0, 0.95);
  EXPECT_NEAR(interval.low, 0.2553, 1e-4);
  EXPECT_NEAR(interval.high, 0.3662, 1e-4);
}

struct Members {
  std::vector<Sample> samples;
  std::vector<std::vector<std::uint32_t>> member;
};

// Two components far apart; Y has other proportions, and its second component may be moved.
Members members(std::size_t rows, double shift, double stretch, Rng& rng) {
  Members result;
  for (std::size_t s = 0; s < 2; ++s) {
    Sample sample{Matrix(rows, 2), std::vector<double>(rows, 1.0 / static_cast<double>(rows))};
    result.member.emplace_back();
    for (std::size_t i = 0; i < rows; ++i) {
      const bool second = rng.uniform() < (s == 0 ? 0.3 : 0.6);
      const bool changed = second && s == 1;
      sample.points(i, 0) = (changed ? stretch : 1.0) * rng.normal() + (second ? 20.0 : 0.0) +
                            (changed ? shift : 0.0);
      sample.points(i, 1) = (changed ? stretch : 1.0) * rng.normal();
      result.member.back().push_back(second);
    }
    result.samples.push_back(std::move(sample));
  }
  return result;
}

double p_within(const Members& data, std::uint64_t seed, int resamplings = 99) {
  Rng rng(seed);
  return test_within_components(data.samples, data.member, 2, {.resamplings = resamplings}, rng).p;
}

TEST(TestWithinComponents, RejectsAtItsLevelWhenOnlyProportionsDiffer) {
  // 200 simulations at 5 %: between 3 and 20 rejections with probability 0.998.
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    rejected += p_within(members(40, 0.0, 1.0, rng), seed, 39) <= 0.05;
  }
  EXPECT_GE(rejected, 3);
  EXPECT_LE(rejected, 20);
}

TEST(TestWithinComponents, SeesAShiftAndAStretchAndNamesTheComponent) {
  Rng data(5);
  for (const auto& [shift, stretch] : {std::pair{1.0, 1.0}, {0.0, 2.0}}) {
    const Members changed = members(150, shift, stretch, data);
    Rng rng(1);
    const WithinResult result =
        test_within_components(changed.samples, changed.member, 2, {.resamplings = 99}, rng);
    EXPECT_LE(result.p, 0.01);
    EXPECT_LE(result.components[1].p, 0.02);
    EXPECT_GT(result.components[0].p, 0.02);
    EXPECT_GT(result.components[1].distance, result.components[1].null_distance);
  }
}

TEST(TestWithinComponents, HasNothingToSayWithoutMembersOnBothSides) {
  Rng data(5);
  Members one_sided = members(30, 0.0, 1.0, data);
  for (auto& m : one_sided.member[0]) m = 0;
  for (auto& m : one_sided.member[1]) m = 1;
  EXPECT_EQ(p_within(one_sided, 1), 1.0);
}

}  // namespace
}  // namespace nw::measure
