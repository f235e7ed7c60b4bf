#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "measure/effect_size.hpp"
#include "measure/member_profile.hpp"
#include "measure/presence.hpp"
#include "measure/proportion_bootstrap.hpp"
#include "measure/rank_tests.hpp"
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
  const PresenceTest many = test_presence({x, 1000}, {y, 1000}, 0.1, 0.01);
  EXPECT_EQ(many.presence[2], Presence::only_y);
  EXPECT_EQ(many.presence[0], Presence::both);
  EXPECT_LT(many.p_all_present, 0.01);
  const PresenceTest few = test_presence({x, 20}, {y, 20}, 0.1, 0.01);
  EXPECT_EQ(few.presence[2], Presence::both);
  const std::vector<double> rare{0.499, 0.499, 0.002};
  EXPECT_GT(test_presence({x, 1000}, {rare, 1000}, 0.1, 0.01).p_all_present, 0.05);
}

TEST(TestPresence, CallsNoComponentAbsentThatHasATenthOfItsOtherShare) {
  // A bound of 3, as small samples have it: 0.26 to 0.91 is beyond it, and still no new member.
  const std::vector<double> x{0.26, 0.74, 0.0}, y{0.91, 0.0, 0.09};
  const PresenceTest test = test_presence({x, 10000}, {y, 10000}, 1.0 / 3.0, 0.01);
  EXPECT_LT(test.p[0], 0.01);
  EXPECT_EQ(test.presence[0], Presence::both);
  EXPECT_EQ(test.presence[1], Presence::only_x);
  EXPECT_EQ(test.presence[2], Presence::only_y);
}

TEST(TestPresence, SeesManySmallAbsencesTogetherThatNoneShowsAlone) {
  std::vector<double> x(16, 0.0), y(16, 0.0);
  for (std::size_t j = 0; j < 8; ++j) x[j] = y[j + 8] = 0.125;
  const PresenceTest test = test_presence({x, 200}, {y, 200}, 0.1, 0.01);
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

// How often random labels give a statistic at least as large as the one seen.
template <typename Statistic>
double by_relabelling(std::vector<double> a, std::vector<double> b, Statistic&& statistic) {
  const auto value = [&](std::vector<double> x, std::vector<double> y) {
    std::ranges::sort(x);
    std::ranges::sort(y);
    return statistic(x, y);
  };
  const double seen = value(a, b);
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  Rng rng(8);
  int at_least = 0;
  constexpr int kDraws = 4000;
  for (int draw = 0; draw < kDraws; ++draw) {
    rng.shuffle(std::span(all));
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(a.size());
    at_least += value({all.begin(), middle}, {middle, all.end()}) >= seen - 1e-12;
  }
  return at_least / static_cast<double>(kDraws);
}

TEST(RankTests, AgreeWithRelabelling) {
  Rng rng(2);
  for (const double shift : {0.0, 0.3, 0.6}) {
    std::vector<double> a(40), b(60);
    for (auto& v : a) v = rng.normal();
    for (auto& v : b) v = rng.normal() + shift;
    std::vector<double> x = a, y = b;
    std::ranges::sort(x);
    std::ranges::sort(y);
    const auto ks = [](const auto& u, const auto& v) { return kolmogorov_distance(u, v); };
    EXPECT_NEAR(kolmogorov_p(ks(x, y), 40.0, 60.0), by_relabelling(a, b, ks), 0.05) << shift;
    const auto ranks = [](const auto& u, const auto& v) {
      double pairs = 0.0;
      for (const double s : u) {
        for (const double t : v) pairs += t > s ? 1.0 : t == s ? 0.5 : 0.0;
      }
      return std::abs(pairs - 0.5 * static_cast<double>(u.size() * v.size()));
    };
    EXPECT_NEAR(rank_sum_two_sided(a, b), by_relabelling(a, b, ranks), 0.03) << shift;
  }
}

TEST(RankTests, SeeAChangeOfSpreadThatLeavesRanksAlone) {
  std::vector<double> a, b;
  for (int i = -100; i <= 100; ++i) {
    a.push_back(i);
    b.push_back(3.0 * i);
  }
  EXPECT_GT(rank_sum_two_sided(a, b), 0.9);
  EXPECT_LT(two_sample_p(a, b), 1e-3);
}

TEST(Holm, MatchesAnExampleByHand) {
  const std::vector<double> p = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], expected[i], 1e-12);
}

// Two Gaussians 10 apart along the first column; the second column is noise.
struct Profiled {
  Matrix points[2];
  WorkingData work;
  SharedModel model;
};

Profiled two_gaussians(std::size_t rows, double share_x, double share_y, double shift,
                       double stretch = 1.0) {
  Rng rng(5);
  Profiled data;
  for (std::size_t s = 0; s < 2; ++s) {
    data.points[s] = Matrix(rows, 2);
    const double share = s == 0 ? share_x : share_y;
    for (std::size_t i = 0; i < rows; ++i) {
      // Exact shares, so that only the members are random.
      const bool first = static_cast<double>(i) < share * static_cast<double>(rows);
      const bool moved = s == 1 && first;
      data.points[s](i, 0) = (first ? 0.0 : 10.0) + rng.normal();
      data.points[s](i, 1) = (moved ? stretch : 1.0) * rng.normal() + (moved ? shift : 0.0);
    }
    data.work.given.push_back({data.points[s], {}});
  }
  data.work.reduction.dim = data.work.reduction.original_dim = 2;
  Matrix identity(2, 2);
  identity(0, 0) = identity(1, 1) = 1.0;
  for (const double centre : {0.0, 10.0}) {
    data.model.mixture.components.push_back(
        gaussian_component(std::vector<double>{centre, 0.0}, identity));
  }
  data.model.pi = {{share_x, 1.0 - share_x}, {share_y, 1.0 - share_y}};
  return data;
}

MemberProfile profile_of(const Profiled& data) {
  return profile_members(data.work, data.model, {}, Rng(1));
}

TEST(MemberProfile, PutsAChangeOfTheMixBetweenMembersAndAMoveWithinThem) {
  const MemberProfile mixed = profile_of(two_gaussians(4000, 0.3, 0.6, 0.0));
  const ColumnParts column = column_parts(mixed, 0);
  // 0.3 of the rows go 10 units; the column's variance is 1 + 100 times the mean of shares.
  const double mean = 10.0 * (1.0 - 0.45), square = 100.0 * (1.0 - 0.45) + 1.0;
  EXPECT_NEAR(column.change, 3.0 / std::sqrt(square - mean * mean), 0.02);
  EXPECT_NEAR(column.between, column.change, 0.02);
  EXPECT_NEAR(column.between + column.within, column.change, 1e-12);
  EXPECT_LT(member_move(mixed, 0, 1, 0.95).distance, 0.1);

  const MemberProfile moved = profile_of(two_gaussians(4000, 0.5, 0.5, 0.8));
  const ColumnParts second = column_parts(moved, 1);
  EXPECT_NEAR(second.within, second.change, 0.02);
  EXPECT_NEAR(second.change, 0.4 / std::sqrt(1.0 + 0.25 * 0.16 * 3.0), 0.05);
  const MemberMove move = member_move(moved, 0, 1, 0.95);
  EXPECT_NEAR(move.distance, 0.8, 0.08);
  EXPECT_LT(move.noise, 0.15);
  EXPECT_LT(member_move(moved, 1, 1, 0.95).distance, 0.1);
}

TEST(MemberProfile, StopsWhenItIsTold) {
  const Profiled data = two_gaussians(500, 0.3, 0.6, 0.0);
  for (const int calls : {0, 1, 2, 3}) {
    int left = calls;
    const MemberProfile stopped =
        profile_members(data.work, data.model, {.go_on = [&] { return left-- > 0; }}, Rng(1));
    EXPECT_EQ(stopped.columns, 0u) << calls;
  }
}

TEST(MemberProfile, SeesAMemberThatGrewWithoutMoving) {
  const MemberMove move =
      member_move(profile_of(two_gaussians(4000, 0.5, 0.5, 0.0, 2.0)), 0, 1, 0.95);
  // W1 between N(0, 1) and N(0, 4) is E|Z|, in units of sqrt(2.5).
  EXPECT_NEAR(move.distance, std::sqrt(2.0 / 3.14159265 / 2.5), 0.06);
}

TEST(MixChange, IsBoundedByTheErrorsOfBothSides) {
  CompareResult result;
  result.k = 2;
  result.pi_x = {0.4, 0.6};
  result.pi_y = {0.5, 0.5};
  result.proportion_change = 0.1;
  ProportionErrors x, y;
  for (int b = 0; b < 99; ++b) {
    const double e = 0.001 * b;  // total variation of the error: 0 ... 0.098
    x.push_back({0.0, 0.0});
    y.push_back({e, -e});
  }
  measure_mix_change(x, y, 0.95, result);
  EXPECT_NEAR(result.effect.mix_change, 0.1, 1e-12);
  EXPECT_NEAR(result.effect.mix_change_interval.high, 0.1 + 0.094, 0.0011);
  EXPECT_NEAR(result.effect.mix_change_interval.low, 0.1 - 0.094, 0.0011);
  EXPECT_NEAR(result.effect.largest_share_change, 0.1, 1e-12);
}

}  // namespace
}  // namespace nw::measure
