#include "nw/measure/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "measure/mixtures.hpp"
#include "measure/one_story.hpp"

namespace nw::measure {
namespace {

using testing::draw_ring;
using testing::expect_one_story;
using ::testing::HasSubstr;

CompareOptions quick(std::size_t components) {
  CompareOptions options;
  options.components = components;
  options.resamplings = 99;
  options.trees = 100;
  options.nw.floor_replicates = 3;
  return options;
}

struct Pair {
  Matrix x, y;
};

Pair rings(const testing::RingOptions& first, const testing::RingOptions& second,
           std::uint64_t seed = 1) {
  Rng rng(seed);
  Matrix x = draw_ring(first, rng), y = draw_ring(second, rng);
  return {std::move(x), std::move(y)};
}

CompareResult run(const Pair& pair, const CompareOptions& options) {
  Rng rng(1);
  return compare({pair.x, {}}, {pair.y, {}}, options, rng);
}

TEST(Compare, CallsTwoSamplesOfOneMixtureTheSame) {
  const CompareResult result = run(rings({.rows = 200}, {.rows = 200}), quick(8));
  EXPECT_EQ(result.verdict, Verdict::same) << result.sentence;
  EXPECT_GT(result.p_same, 0.05);
  EXPECT_TRUE(result.family_fits);
}

TEST(Compare, FindsTheProportionsOfSettingOneWithIntervalsAroundThem) {
  const CompareResult result =
      run(rings({.rows = 300}, {.rows = 300, .pi = testing::ring_proportions(true)}), quick(8));
  EXPECT_EQ(result.verdict, Verdict::proportions) << result.sentence;
  EXPECT_THAT(result.sentence, HasSubstr("same 8 components in different proportions"));
  EXPECT_LE(result.p_same, 0.01);
  EXPECT_GT(result.p_components, 0.01);
  ASSERT_EQ(result.components.size(), 8u);
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_LT(result.pi_x_interval[j].low, result.pi_x[j]);
    EXPECT_GT(result.pi_x_interval[j].high, result.pi_x[j]);
    EXPECT_EQ(result.components[j].presence, Presence::both);
    EXPECT_GE(result.components[j].p, result.components[j].p_raw);
  }
  // Total variation between (i + 2) / 52 and (11 - i) / 52 is 16 / 52.
  EXPECT_NEAR(result.proportion_change, 16.0 / 52.0, 0.1);
}

TEST(Compare, FindsTheChangedComponentsOfSettingTwo) {
  const CompareResult result =
      run(rings({.rows = 200}, {.rows = 200, .turn = 0.5, .pi = testing::ring_proportions(true)}),
          quick(8));
  EXPECT_EQ(result.verdict, Verdict::components) << result.sentence;
  EXPECT_GT(result.component_change, 0.2);
}

TEST(Compare, NamesTheOneComponentThatMoved) {
  Pair pair = rings({.rows = 500}, {.rows = 500, .pi = testing::ring_proportions(true)});
  const auto centre = testing::ring_centre(2);
  for (std::size_t i = 0; i < pair.y.rows(); ++i) {
    if (std::hypot(pair.y(i, 0) - centre[0], pair.y(i, 1) - centre[1]) < 1.5) pair.y(i, 0) += 0.6;
  }
  const CompareResult result = run(pair, quick(8));
  EXPECT_EQ(result.verdict, Verdict::components);
  std::size_t moved = 0;
  for (std::size_t j = 0; j < 8; ++j) {
    if (result.components[j].contribution > result.components[moved].contribution) moved = j;
  }
  const auto& c = result.components[moved];
  EXPECT_LT(std::hypot(c.centre[0] - centre[0], c.centre[1] - centre[1]), 1.0);
  EXPECT_NEAR(c.shift[0], 0.6, 0.2);
  EXPECT_LT(c.p, 0.05);
  EXPECT_THAT(result.sentence, HasSubstr(concat("component ", moved + 1)));
  ASSERT_FALSE(c.columns_moved.empty());
  EXPECT_EQ(c.columns_moved[0].column, 0u);
  EXPECT_NEAR(c.columns_moved[0].to - c.columns_moved[0].from, 0.6, 0.2);
  EXPECT_LT(c.columns_moved[0].p, 0.05);
  EXPECT_GT(result.effect.members_moved_interval.high, 1.0);
}

TEST(Compare, SaysWhichComponentIsNewAndWhichIsMissing) {
  const CompareResult result =
      run(rings({.rows = 300, .pi = {0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0}},
                {.rows = 300, .pi = {0.4, 0.0, 0.3, 0.0, 0.3, 0.0, 0.0, 0.0}}),
          quick(4));
  EXPECT_EQ(result.verdict, Verdict::components);
  EXPECT_THAT(result.sentence, HasSubstr("new in Y"));
  EXPECT_THAT(result.sentence, HasSubstr("missing from Y"));
  int only_x = 0, only_y = 0;
  for (const auto& c : result.components) {
    only_x += c.presence == Presence::only_x;
    only_y += c.presence == Presence::only_y;
  }
  EXPECT_EQ(only_x, 1);
  EXPECT_EQ(only_y, 1);
}

TEST(Compare, IsNotMisledByTooFewComponents) {
  // Eight modes forced into two components: the parts of each component change their shares.
  const CompareResult result =
      run(rings({.rows = 300, .deviation = 0.1},
                {.rows = 300, .deviation = 0.1, .pi = testing::ring_proportions(true)}),
          quick(2));
  EXPECT_EQ(result.verdict, Verdict::proportions) << result.sentence;
  EXPECT_FALSE(result.family_fits);
  EXPECT_FALSE(result.notes.empty());
  EXPECT_NE(result.misfit_x, result.misfit_y);
}

TEST(Compare, ChoosesTheNumberOfComponentsWhenNoneIsGiven) {
  const std::vector<double> first{0.6, 0.0, 0.2, 0.0, 0.2, 0.0, 0.0, 0.0};
  const std::vector<double> second{0.2, 0.0, 0.2, 0.0, 0.6, 0.0, 0.0, 0.0};
  const CompareResult result =
      run(rings({.rows = 250, .pi = first}, {.rows = 250, .pi = second}), quick(0));
  EXPECT_EQ(result.k, 3u);
  EXPECT_LE(result.k_low, 3u);
  EXPECT_GE(result.k_high, 3u);
  EXPECT_FALSE(result.max_k_reached);
  EXPECT_EQ(result.verdict, Verdict::proportions) << result.sentence;
}

TEST(Compare, SaysWhenTheLargestNumberOfComponentsWasNotEnough) {
  CompareOptions options = quick(0);
  options.max_k = 3;
  const CompareResult result = run(rings({.rows = 200}, {.rows = 200}), options);
  EXPECT_TRUE(result.max_k_reached);
  EXPECT_THAT(result.notes, ::testing::Contains(HasSubstr("more might fit even better")));
}

TEST(Compare, NeverCallsFewRowsOfDisjointDataTheSameComponents) {
  for (const std::size_t rows : {2u, 5u, 20u, 50u}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Rng rng(seed);
      Matrix x = testing::draw_gaussian(rows, 2, rng), y = testing::draw_gaussian(rows, 2, rng);
      for (std::size_t i = 0; i < rows; ++i) y(i, 0) += 50.0;
      const CompareResult result = run({std::move(x), std::move(y)}, quick(0));
      EXPECT_TRUE(result.verdict == Verdict::components || result.verdict == Verdict::undecided)
          << rows << " rows: " << result.sentence;
      EXPECT_EQ(result.reason.empty(), result.verdict == Verdict::components);
    }
  }
}

TEST(Compare, IsUndecidedWhenItIsStopped) {
  CompareOptions options = quick(0);
  for (const int calls : {0, 2, 5}) {
    int left = calls;
    options.observer = [&](const Progress&) { return left-- > 0; };
    const CompareResult result = run(rings({.rows = 100}, {.rows = 100}), options);
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(result.verdict, Verdict::undecided);
    EXPECT_THAT(result.sentence, HasSubstr("stopped before its end"));
  }
}

TEST(Compare, TellsOneStoryOnEveryChannelWhateverTheDataAre) {
  const auto options = quick(0);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const testing::RingOptions first{.rows = 120, .pi = {0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0}};
    testing::RingOptions mixed = first, other = first, moved = first;
    mixed.pi = {0.2, 0.3, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0};
    other.pi = {0.4, 0.0, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0};
    moved.turn = 0.2;
    for (const auto& second : {first, mixed, other, moved}) {
      SCOPED_TRACE(seed);
      expect_one_story(run(rings(first, second, seed), options), options);
    }
  }
}

// Random mixtures of random shapes in one to four columns, changed at random.
Pair random_pair(Rng& rng) {
  const std::size_t dim = 1 + rng.below(4), modes = 1 + rng.below(4);
  const std::size_t rows[2] = {40 + rng.below(120), 40 + rng.below(120)};
  std::vector<std::vector<double>> centre(modes);
  for (auto& c : centre) {
    for (std::size_t d = 0; d < dim; ++d) c.push_back(5.0 * rng.normal());
  }
  Pair pair;
  for (int s = 0; s < 2; ++s) {
    std::vector<double> pi;
    for (std::size_t j = 0; j < modes; ++j) pi.push_back(rng.uniform() < 0.2 ? 0.01 : 1.0);
    Matrix& points = s == 0 ? pair.x : pair.y;
    points = Matrix(rows[s], dim);
    const double skew = rng.uniform() < 0.5 ? 0.0 : 0.5;
    for (std::size_t i = 0; i < rows[s]; ++i) {
      const std::size_t j = rng.categorical(pi);
      for (std::size_t d = 0; d < dim; ++d) {
        const double z = rng.normal();
        points(i, d) = centre[j][d] + z + skew * z * z;
      }
    }
    if (rng.uniform() < 0.5) centre[0][0] += 3.0 * rng.normal();
  }
  return pair;
}

TEST(Compare, TellsOneStoryOfRandomMixtures) {
  CompareOptions options = quick(0);
  options.trees = 40;
  options.resamplings = 39;
  options.max_k = 6;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Rng rng(seed);
    const Pair pair = random_pair(rng);
    options.min_effect.share = seed % 3 == 0 ? 0.3 : 0.02;
    SCOPED_TRACE(seed);
    expect_one_story(run(pair, options), options);
  }
}

// The same data with rows and columns in another order and columns in other units.
Pair rearranged(const Pair& pair, Rng& rng) {
  const std::size_t dim = pair.x.cols();
  std::vector<std::size_t> column(dim);
  for (std::size_t c = 0; c < dim; ++c) column[c] = c;
  rng.shuffle(std::span(column));
  const auto change = [&](const Matrix& m) {
    std::vector<std::size_t> row(m.rows());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    rng.shuffle(std::span(row));
    Matrix out(m.rows(), dim + 1, 3.25);  // with a constant column
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t c = 0; c < dim; ++c) {
        const double unit = c % 2 == 0 ? 1000.0 : 1.0 / 3.0;
        out(i, c) = unit * m(row[i], column[c]) + 17.0 * static_cast<double>(c);
      }
    }
    return out;
  };
  return {change(pair.x), change(pair.y)};
}

TEST(Compare, IgnoresTheOrderOfRowsAndColumnsUnitsAndTheSeed) {
  Rng rng(3);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Pair pair = rings({.rows = 150, .dim = 4},
                            {.rows = 130,
                             .dim = 4,
                             .turn = seed % 2 == 0 ? 0.1 : 0.0,
                             .pi = testing::ring_proportions(true)},
                            seed);
    const CompareResult plain = run(pair, quick(0));
    Rng other_seed(99);
    const Pair other = rearranged(pair, rng);
    const CompareResult again = compare({other.x, {}}, {other.y, {}}, quick(0), other_seed);
    EXPECT_EQ(plain.verdict, again.verdict);
    EXPECT_EQ(plain.p_energy, again.p_energy);
    EXPECT_EQ(plain.p_score, again.p_score);
    EXPECT_EQ(plain.p_ratio, again.p_ratio);
    EXPECT_NEAR(plain.p_members, again.p_members, 0.02);
    EXPECT_EQ(plain.k_low, again.k_low);
    EXPECT_EQ(plain.k_high, again.k_high);
  }
}

TEST(Compare, FindsTheSharesOfKnownClassesAndAClassThatIsNew) {
  // Two classes that overlap; Y has them the other way round, or a third one far away beside them.
  Rng rng(4);
  const auto draw = [&](std::vector<double> pi, std::vector<std::uint32_t>* classes) {
    Matrix points = testing::draw_gaussian(250, 3, rng);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const auto c = static_cast<std::uint32_t>(rng.categorical(pi));
      points(i, c % 2) += c == 0 ? 0.0 : c == 1 ? 3.0 : 8.0;
      if (classes != nullptr) classes->push_back(c);
    }
    return points;
  };
  CompareOptions options = quick(0);
  Pair pair;
  pair.x = draw({0.7, 0.3}, &options.class_of_x);
  pair.y = draw({0.3, 0.7}, nullptr);
  const CompareResult mixed = run(pair, options);
  EXPECT_EQ(mixed.verdict, Verdict::proportions) << mixed.sentence;
  ASSERT_EQ(mixed.classes.size(), 2u);
  EXPECT_NEAR(mixed.classes[1].share_y, 0.7, 0.1);
  EXPECT_LE(mixed.classes[1].share_y_interval.low, mixed.classes[1].share_y);
  EXPECT_NEAR(mixed.pi_x[0], mixed.classes[0].share_x, 0.05);
  pair.y = draw({0.4, 0.3, 0.3}, nullptr);
  EXPECT_EQ(run(pair, options).verdict, Verdict::components);
}

TEST(Compare, CallsNothingAnotherMixOfASingleKnownClass) {
  Rng rng(5);
  CompareOptions options = quick(0);
  options.class_of_x.assign(300, 0);
  Pair pair{testing::draw_gaussian(300, 3, rng), testing::draw_gaussian(300, 3, rng)};
  EXPECT_EQ(run(pair, options).verdict, Verdict::same);
  for (std::size_t i = 0; i < 300; ++i) pair.y(i, 0) += 0.6;
  const CompareResult moved = run(pair, options);
  EXPECT_EQ(moved.verdict, Verdict::components) << moved.sentence;
  EXPECT_EQ(moved.p_components, moved.p_same);
}

// Two Gaussians six deviations apart, the first of which makes up `share` of the rows.
Matrix two_modes(std::size_t rows, double share, Rng& rng) {
  Matrix points = testing::draw_gaussian(rows, 2, rng);
  for (std::size_t i = 0; i < rows; ++i) {
    if (static_cast<double>(i) >= share * static_cast<double>(rows)) points(i, 0) += 6.0;
  }
  return points;
}

TEST(Compare, IsNotAlarmedByASignificantChangeThatIsShownToBeTooSmallToCount) {
  Rng rng(11);
  const Pair pair{two_modes(1500, 0.5, rng), two_modes(1500, 0.58, rng)};
  CompareOptions options = quick(2);
  const CompareResult alarmed = run(pair, options);
  EXPECT_EQ(alarmed.verdict, Verdict::proportions) << alarmed.sentence;
  EXPECT_FALSE(alarmed.effect.below_min_effect);
  EXPECT_NEAR(alarmed.effect.mix_change, 0.08, 0.01);
  EXPECT_LT(alarmed.effect.mix_change_interval.high, 0.14);
  EXPECT_GT(alarmed.effect.mix_change_interval.low, 0.02);
  options.min_effect = {.share = 0.2, .deviations = 0.1};
  const CompareResult quiet = run(pair, options);
  EXPECT_EQ(quiet.verdict, Verdict::same) << quiet.sentence;
  EXPECT_TRUE(quiet.effect.below_min_effect);
  EXPECT_LT(quiet.p_same, 0.05);
  EXPECT_THAT(quiet.sentence, HasSubstr("by less than counts"));
  expect_one_story(quiet, options);
}

TEST(Compare, KnowsTheMixOfManyRowsBetterThanThoseItTests) {
  // The tests see 100 rows of each sample; shares of 20 000 rows are known to about 0.005.
  Rng rng(15);
  CompareOptions options = quick(2);
  options.max_test_points = options.nw.max_points = 100;
  const CompareResult result =
      run({two_modes(20000, 0.4, rng), two_modes(20000, 0.4, rng)}, options);
  EXPECT_NEAR(result.effect.mix_change, 0.0, 0.002);
  EXPECT_LT(result.effect.mix_change_interval.high, 0.02);
  EXPECT_NEAR(std::min(result.pi_x[0], result.pi_x[1]), 0.4, 0.002);
  EXPECT_LT(result.effect.members_moved_interval.high, 0.1);
  EXPECT_TRUE(result.effect.equivalent);
}

TEST(Compare, SaysHowLargeAChangeCouldStillBeWhereItFindsNone) {
  Rng rng(12);
  const CompareResult result = run({two_modes(600, 0.4, rng), two_modes(600, 0.4, rng)}, quick(2));
  ASSERT_EQ(result.verdict, Verdict::same) << result.sentence;
  EXPECT_THAT(result.notes, ::testing::Contains(HasSubstr("Any change of the mix is below")));
  // Three deviations of the difference of two shares of 0.4 from 600 rows each are 0.085.
  EXPECT_LT(result.effect.mix_change_interval.high, 0.085);
  EXPECT_GT(result.effect.mix_change_interval.high, 0.02);
  EXPECT_FALSE(result.effect.equivalent);
}

TEST(Compare, GivesEveryRowItsMemberAndItsWeightInTheEvidence) {
  Rng rng(13);
  const Pair pair{two_modes(300, 0.3, rng), two_modes(300, 0.7, rng)};
  const CompareResult result = run(pair, quick(2));
  double sizes = 0.0, sum = 0.0;
  std::size_t first = 2;
  for (const auto* scores : {&result.scores_x, &result.scores_y}) {
    const Matrix& points = scores == &result.scores_x ? pair.x : pair.y;
    for (const auto& row : *scores) {
      sizes += std::abs(row.weight);
      sum += row.weight;
      if (std::abs(points(row.row, 0) - 3.0) < 1.0) continue;  // between the modes
      if (first == 2) first = points(row.row, 0) < 3.0 ? row.member : 1 - row.member;
      EXPECT_EQ(row.member == first, points(row.row, 0) < 3.0) << points(row.row, 0);
    }
  }
  EXPECT_NEAR(sizes, 1.0, 1e-9);
  EXPECT_GT(sum, 0.1);
}

TEST(Compare, SplitsTheChangeOfEveryColumnBetweenTheMixAndTheMembers) {
  Rng rng(14);
  const Pair pair{two_modes(400, 0.3, rng), two_modes(400, 0.6, rng)};
  const CompareResult result = run(pair, quick(2));
  ASSERT_EQ(result.columns.size(), 2u);
  for (const auto& column : result.columns) {
    EXPECT_NEAR(column.change_between + column.change_within, column.change, 1e-12);
    EXPECT_GE(column.change, 0.0);
  }
  EXPECT_GT(result.columns[0].change_between, 0.9 * result.columns[0].change);
  EXPECT_LT(result.columns[0].p, 0.001);
  EXPECT_GT(result.columns[1].p, 0.05);
}

TEST(Compare, GivesTheSameAnswerForEveryThreadCount) {
  const Pair pair = rings({.rows = 100}, {.rows = 120, .pi = testing::ring_proportions(true)});
  CompareOptions one = quick(8), two = quick(8);
  one.nw.threads = 1;
  two.nw.threads = 2;
  const CompareResult a = run(pair, one), b = run(pair, two);
  EXPECT_EQ(a.p_same, b.p_same);
  EXPECT_EQ(a.p_components, b.p_components);
  EXPECT_EQ(a.pi_x, b.pi_x);
  EXPECT_EQ(a.sentence, b.sentence);
}

TEST(Compare, SaysWhatIsWrongWithBadInput) {
  Rng rng(1);
  const Matrix x(30, 2), narrow(30, 1);
  const auto message = [&](MatrixView a, MatrixView b, const CompareOptions& options) {
    try {
      (void)compare({a, {}}, {b, {}}, options, rng);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("no exception");
  };
  EXPECT_THAT(message(x, narrow, quick(2)), HasSubstr("x has 2 columns but y has 1"));
  EXPECT_THAT(message(x, MatrixView(), quick(2)), HasSubstr("y is empty"));
  EXPECT_THAT(message(x, x, quick(31)), HasSubstr("fewer than the 31 components"));
  CompareOptions few = quick(2);
  few.trees = 5;
  EXPECT_THAT(message(x, x, few), HasSubstr("trees must be at least 20, got 5"));
}

TEST(Compare, ToleratesDataThatAreAllTheSamePoint) {
  const CompareResult result = run({Matrix(30, 2, 1.0), Matrix(40, 2, 1.0)}, quick(2));
  EXPECT_EQ(result.verdict, Verdict::same);
  EXPECT_NEAR(result.normalized_wasserstein, 0.0, 1e-9);
}

}  // namespace
}  // namespace nw::measure
