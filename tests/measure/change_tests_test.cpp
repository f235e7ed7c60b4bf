#include "measure/change_tests.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/class_mix.hpp"
#include "measure/class_tests.hpp"
#include "measure/compare_stages.hpp"
#include "measure/domain_forest.hpp"
#include "measure/energy_test.hpp"
#include "measure/mixtures.hpp"
#include "measure/ratio_scan.hpp"
#include "measure/weighted_ranks.hpp"

namespace nw::measure {
namespace {

namespace fs = std::filesystem;

double auc(const std::vector<double>& score, const std::vector<std::uint8_t>& label) {
  double above = 0.0, pairs = 0.0;
  for (std::size_t i = 0; i < score.size(); ++i) {
    for (std::size_t j = 0; j < score.size(); ++j) {
      if (label[i] != 1 || label[j] != 0) continue;
      above += score[i] > score[j] ? 1.0 : score[i] == score[j] ? 0.5 : 0.0;
      pairs += 1.0;
    }
  }
  return above / pairs;
}

struct Labelled {
  Matrix points;
  std::vector<std::uint8_t> label;
};

// Two groups that overlap, one of them curved: neither a line nor a single column tells them apart.
Labelled overlapping_groups(std::size_t rows, Rng& rng) {
  Labelled data{testing::draw_gaussian(rows, 5, rng), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const bool second = rng.uniform() < 0.4;
    data.label.push_back(second);
    if (second) data.points(i, 0) += 0.7 + 0.5 * data.points(i, 1) * data.points(i, 1);
  }
  return data;
}

TEST(OutOfBagScores, TellGroupsApartAsWellAsScikitLearn) {
  for (const std::uint64_t seed : {1u, 2u}) {
    Rng rng(seed);
    const Labelled data = overlapping_groups(800, rng);
    const auto folder = fs::temp_directory_path() / ("nw_forest_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    {
      std::ofstream file(folder / "data", std::ios::binary);
      const std::int64_t size[2] = {800, 5};
      file.write(reinterpret_cast<const char*>(size), sizeof size);
      file.write(reinterpret_cast<const char*>(data.points.values().data()), 800 * 5 * 8);
      for (const double l : data.label) file.write(reinterpret_cast<const char*>(&l), 8);
    }
    const std::string command = std::string(NW_PYTHON " " NW_FOREST_AUC " ") +
                                (folder / "data").string() + " " + (folder / "answer").string();
    const int status = std::system(command.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    double theirs[2] = {0.0, 0.0};
    std::ifstream(folder / "answer", std::ios::binary)
        .read(reinterpret_cast<char*>(theirs), sizeof theirs);
    fs::remove_all(folder);
    if (code == 77 || code == 127) GTEST_SKIP() << "scikit-learn is not there";
    ASSERT_EQ(code, 0);
    RankedColumns columns;
    columns.append(data.points);
    const ForestOptions forest{.trees = 200},
        extra{.trees = 200, .min_leaf = 3, .random_thresholds = true};
    // The AUC of one forest varies by about 0.01 between seeds.
    EXPECT_NEAR(auc(out_of_bag_scores(columns, data.label, forest, rng), data.label), theirs[0],
                0.03);
    EXPECT_NEAR(auc(out_of_bag_scores(columns, data.label, extra, rng), data.label), theirs[1],
                0.03);
  }
}

TEST(OutOfBagScores, AreTheSameForEveryThreadCountAndIncreasingTransform) {
  Rng rng(4);
  Labelled data = overlapping_groups(150, rng);
  RankedColumns columns, transformed;
  columns.append(data.points);
  for (auto& v : data.points.values()) v = std::exp(2.0 * v);
  transformed.append(data.points);
  const auto one = out_of_bag_scores(columns, data.label, {.trees = 60, .threads = 1}, rng);
  const auto two = out_of_bag_scores(transformed, data.label, {.trees = 60, .threads = 2}, rng);
  EXPECT_EQ(one, two);
}

TEST(OutOfBagScores, CountRowsByTheirWeight) {
  // One group seen by both labels: scores are the share of label 1 by weight.
  Rng rng(7);
  const Matrix points = testing::draw_gaussian(400, 2, rng);
  std::vector<std::uint8_t> label;
  std::vector<double> weight;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    label.push_back(i % 2 == 0);
    weight.push_back(i == 7 ? 0.0 : label.back() == 1 ? 3.0 : 1.0);
  }
  RankedColumns columns;
  columns.append(points);
  const auto score = out_of_bag_scores(
      columns, label, {.trees = 60, .min_leaf = 40, .threads = 1, .weight = weight}, rng);
  double mean = 0.0;
  for (const double s : score) mean += s / static_cast<double>(score.size());
  EXPECT_NEAR(mean, 0.75, 0.02);
  // A heavier bag makes no difference to the shares, so a row without weight is scored like others.
  EXPECT_NEAR(score[7], 0.75, 0.1);
}

TEST(OutOfBagScores, FindTheThresholdInNodesTooLargeToSort) {
  Rng rng(8);
  const Matrix points = testing::draw_gaussian(2000, 3, rng);
  std::vector<std::uint8_t> label;
  for (std::size_t i = 0; i < points.rows(); ++i) label.push_back(points(i, 1) > 1.5);
  RankedColumns columns;
  columns.append(points);
  EXPECT_GT(auc(out_of_bag_scores(columns, label, {.trees = 20}, rng), label), 0.999);
}

TEST(RankSum, MatchesATabulatedValue) {
  // U = 25 of 5 x 5: the normal approximation with continuity correction gives 0.0061.
  const std::vector<double> score{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<std::uint8_t> label{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  EXPECT_NEAR(rank_sum_p(score, label), 0.0061, 2e-4);
  EXPECT_EQ(rank_sum_p(std::vector<double>(10, 0.5), label), 1.0);
}

TEST(EnergyTest, FindsTheDistanceOfTwoPointsAndRejectsAtItsLevel) {
  RowMatrix two(2, 1);
  two << 0.0, 3.0;
  const std::vector<std::size_t> both{0, 1};
  const std::vector<std::uint8_t> apart{0, 1};
  EXPECT_NEAR(energy_test(row_distances(two), both, apart, 9, Rng(1)).distance, 6.0, 1e-5);
  // 200 simulations at 5 %: between 3 and 20 rejections with probability 0.998.
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Matrix points = testing::draw_gaussian(50, 2, rng);
    std::vector<std::size_t> rows(50);
    std::vector<std::uint8_t> label(50);
    for (std::size_t i = 0; i < 50; ++i) {
      rows[i] = i;
      label[i] = i < 20;
    }
    const RowMatrix matrix = as_eigen(points.view());
    rejected += energy_test(row_distances(matrix), rows, label, 99, rng).p <= 0.05;
  }
  EXPECT_GE(rejected, 3);
  EXPECT_LE(rejected, 20);
}

// Two samples from one Gaussian, label 1 shifted; rows of label 0 have one of two weights.
struct Weighted {
  std::vector<std::uint8_t> label;
  std::vector<double> weight, score;
};

Weighted weighted_samples(double shift, Rng& rng) {
  Weighted data;
  for (int i = 0; i < 120; ++i) {
    const bool second = i >= 60;
    data.label.push_back(second);
    data.weight.push_back(second ? 1.0 : i % 5 == 0 ? 4.0 : 0.5);
    data.score.push_back(rng.normal() + (second ? shift : 0.0));
  }
  return data;
}

TEST(WeightedRanks, HoldTheirLevelAndSeeAShift) {
  Rng rng(21);
  int alarms = 0, seen = 0;
  constexpr int kDraws = 200;
  for (int t = 0; t < kDraws; ++t) {
    const Weighted same = weighted_samples(0.0, rng), moved = weighted_samples(1.0, rng);
    alarms += weighted_ranks(same.score, same.label, same.weight, 199).p <= 0.05;
    seen += weighted_ranks(moved.score, moved.label, moved.weight, 199).p <= 0.05;
  }
  EXPECT_LE(alarms, 20);  // 10 are expected; more than 20 have a chance below 0.002
  EXPECT_GE(seen, 150);
}

// Classes at (0, 0), (3, 0) and (0, 3) in equal shares in X; Y has shares of its own.
ClassedRows classed_samples(const std::vector<double>& share_y, Rng& rng) {
  ClassedRows rows;
  rows.classes = 3;
  rows.points.resize(300, 2);
  for (Eigen::Index i = 0; i < 300; ++i) {
    const bool in_x = i < 150;
    const std::size_t c = in_x ? static_cast<std::size_t>(i) % 3 : rng.categorical(share_y);
    rows.points(i, 0) = rng.normal() + (c == 1 ? 3.0 : 0.0);
    rows.points(i, 1) = rng.normal() + (c == 2 ? 3.0 : 0.0);
    if (in_x) rows.class_of.push_back(static_cast<std::uint32_t>(c));
  }
  return rows;
}

TEST(NearestMix, FindsTheSharesAndHowFarToTrustThem) {
  Rng rng(31);
  const std::vector<double> share{0.2, 0.1, 0.7};
  double mean = 0.0, square = 0.0, stated = 0.0;
  constexpr int kDraws = 100;
  for (int t = 0; t < kDraws; ++t) {
    const NearestMix mix =
        nearest_mix(classed_samples(share, rng), 49, 1, rng.split(static_cast<std::uint64_t>(t)));
    EXPECT_NEAR(mix.share.sum(), 1.0, 1e-6);
    mean += mix.share(2) / kDraws;
    square += (mix.share(2) - 0.7) * (mix.share(2) - 0.7) / kDraws;
    stated += mix.deviation(2) / kDraws;
  }
  EXPECT_NEAR(mean, 0.7, 0.02);
  EXPECT_NEAR(stated, std::sqrt(square), 0.01);
}

TEST(NearestMix, GivesAClassWithoutRowsNoShareAndNoCertainty) {
  Rng rng(32);
  ClassedRows rows = classed_samples({0.2, 0.1, 0.7}, rng);
  rows.classes = 4;
  const NearestMix mix = nearest_mix(rows, 19, 1, rng);
  EXPECT_EQ(mix.share(3), 0.0);
  EXPECT_EQ(mix.deviation(3), 1.0);
  EXPECT_NEAR(mix.share(2), 0.7, 0.15);
}

// Three classes whose shares turn round, the middle one moved along the second column by `shift`.
double p_of_classes(double shift, Rng& rng) {
  const std::vector<double> share_x{0.6, 0.3, 0.1}, share_y{0.1, 0.3, 0.6};
  std::vector<std::uint32_t> class_of;
  Matrix side[2] = {testing::draw_gaussian(200, 2, rng), testing::draw_gaussian(200, 2, rng)};
  for (int s = 0; s < 2; ++s) {
    for (std::size_t i = 0; i < side[s].rows(); ++i) {
      const std::size_t c = rng.categorical(s == 0 ? share_x : share_y);
      side[s](i, 0) += 2.5 * static_cast<double>(c);
      if (s == 1 && c == 1) side[s](i, 1) += shift;
      if (s == 0) class_of.push_back(static_cast<std::uint32_t>(c));
    }
  }
  const PooledRows pool = pool_rows({side[0], {}}, {side[1], {}}, 1000);
  std::vector<std::uint32_t> pooled;
  for (std::size_t i = 0; i < pool.in_x; ++i) pooled.push_back(class_of[pool.row[i]]);
  return test_classes(pool, pooled,
                      {.classes = 3, .trees = 40, .domain_trees = 40, .resamplings = 20},
                      Rng(pool.fingerprint))
      .p;
}

TEST(TestClasses, HoldsItsLevelWhenTheMixTurnsRoundAndSeesAMovedClass) {
  Rng rng(41);
  int alarms = 0, seen = 0;
  for (int t = 0; t < 40; ++t) alarms += p_of_classes(0.0, rng) <= 0.05;
  for (int t = 0; t < 10; ++t) seen += p_of_classes(2.0, rng) <= 0.05;
  EXPECT_LE(alarms, 6);  // 2 are expected; more than 6 have a chance below 0.004
  EXPECT_GE(seen, 8);
}

TEST(WithClasses, CountsAReadingWithoutClassesUnlessTheClassesSpeakAgainstIt) {
  EXPECT_LE(with_classes(1.0, 0.01, 0.05), 0.05);
  EXPECT_LE(with_classes(0.01, 0.4, 0.05), 0.05);
  EXPECT_GT(with_classes(0.01, 0.6, 0.05), 0.05);
  EXPECT_GT(with_classes(0.2, 0.1, 0.05), 0.05);
}

TEST(DefaultShareBound, GrowsInProportionToTheRowsFromAThousandOn) {
  EXPECT_NEAR(default_share_bound(20), 2.7, 1e-12);
  EXPECT_NEAR(default_share_bound(512), 0.66 * 8.0, 1e-12);
  EXPECT_NEAR(default_share_bound(1000), 6.6, 1e-9);
  EXPECT_NEAR(default_share_bound(2000), 13.2, 1e-9);
  EXPECT_EQ(default_share_bound(100000), 15.0);
}

TEST(ScanRatio, HoldsItsLevelAtTheBoundAndSeesWhatLiesBeyond) {
  // Half of the rows have ratio 4 and come first; the score knows the order exactly.
  const auto rejected = [](double ratio) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Rng rng(seed);
      std::vector<double> score;
      std::vector<std::uint8_t> label;
      for (int i = 0; i < 300; ++i) {
        const bool high = i < 100;
        score.push_back(high ? 1.0 : 0.0);
        label.push_back(rng.uniform() < (high ? ratio / (1.0 + ratio) : 0.35));
      }
      count += scan_ratio(score, label, {.bound = 4.0, .simulations = 199}).p <= 0.05;
    }
    return count;
  };
  EXPECT_LE(rejected(4.0), 11);  // 5 % of 100, and chance
  EXPECT_GE(rejected(20.0), 80);
}

TEST(ScanRatio, KeepsItsLevelForOneMemberThatChangesByTheDefaultBound) {
  // The worst mix within R: one member of six per cent of X that comes R times as often in Y, told
  // apart from the rest by the score entirely.
  for (const std::size_t rows : {100, 400, 1000}) {
    const double bound = default_share_bound(rows);
    int rejected = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Rng rng(seed);
      std::vector<double> score;
      std::vector<std::uint8_t> label;
      for (std::size_t i = 0; i < 2 * rows; ++i) {
        label.push_back(i >= rows);
        const double share = std::min((i >= rows ? bound : 1.0) * 0.06, 0.9);
        score.push_back(rng.uniform() < share ? 1.0 : 0.0);
      }
      // Ties are broken by chance, as scores of trees break them.
      for (double& s : score) s += 1e-6 * rng.uniform();
      rejected += scan_ratio(score, label, {.bound = bound, .simulations = 199}).p <= 0.05;
    }
    EXPECT_LE(rejected, 20) << rows;  // 5 % of 200, and chance
  }
}

TEST(ScanRatio, SaysHowManyRowsWouldHaveBeenSeen) {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
  for (int i = 0; i < 400; ++i) {
    score.push_back(i < 30 ? 1.0 : 0.0);
    label.push_back(i < 30 || i % 2 == 0);
  }
  const RatioScan scan = scan_ratio(score, label, {.bound = 4.0});
  EXPECT_LT(scan.rows_needed, 30.0);
  EXPECT_GT(scan.rows_needed, 8.0);
  EXPECT_LE(scan.p, 0.05);
  EXPECT_NEAR(static_cast<double>(scan.region.size()), 30.0, 2.0);
}

TEST(ChooseMembers, FindsThreeModesAndWhatTheyExplain) {
  Rng rng(2);
  const testing::RingOptions first{.rows = 200, .pi = {0.6, 0.0, 0.3, 0.0, 0.1, 0.0, 0.0, 0.0}};
  testing::RingOptions second = first;
  second.pi = {0.2, 0.0, 0.3, 0.0, 0.5, 0.0, 0.0, 0.0};
  const Matrix x = testing::draw_ring(first, rng), y = testing::draw_ring(second, rng);
  const PooledRows pool = pool_rows({x, {}}, {y, {}}, 1000);
  const MemberChoice choice = choose_members(pool.scaled, pool.in_x, {}, Rng(1));
  EXPECT_EQ(choice.k, 3u);
  const auto ratio = explained_ratio(pool.scaled, pool.in_x, choice.fit(3), choice.ridge, 10.0);
  EXPECT_NEAR(*std::max_element(ratio.begin(), ratio.end()), 5.0, 1.5);
  EXPECT_NEAR(*std::min_element(ratio.begin(), ratio.end()), 1.0 / 3.0, 0.1);
}

TEST(TestChanges, DoNotRefuteAMixByASingleMember) {
  // Shares from 1 : 3 to 3 : 1, and one member allowed: it cannot explain anything.
  Rng rng(3);
  Matrix x = testing::draw_gaussian(200, 2, rng), y = testing::draw_gaussian(200, 2, rng);
  for (std::size_t i = 0; i < 200; ++i) {
    x(i, 0) += i % 4 == 0 ? 8.0 : 0.0;
    y(i, 0) += i % 4 != 0 ? 8.0 : 0.0;
  }
  const PooledRows pool = pool_rows({x, {}}, {y, {}}, 1000);
  const ChangeTests one = test_changes(pool, {.max_k = 1, .trees = 40});
  ASSERT_EQ(one.members.size(), 1u);
  EXPECT_EQ(one.p_members, 1.0);
  EXPECT_GT(one.p_components, 0.05);
}

TEST(DecideVerdict, IsUndecidedWithBothReadingsWhenPlausibleNumbersOfMembersContradict) {
  CompareResult result;
  result.p_same = 0.001;
  result.p_components = 0.2;
  result.p_ratio = 0.5;
  result.p_ratio_narrow = 0.001;
  result.rows_tested_x = result.rows_tested_y = 300;
  result.smallest_share = 0.1;
  result.k = 3;
  result.pi_x = result.pi_y = {0.5, 0.3, 0.2};
  result.k_low = 3;
  result.k_high = 4;
  result.k_readings = {{3, 0.4}, {4, 0.01}, {5, 0.01}};
  decide_verdict(result, {});
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_NE(result.reason.find("3 do (p = 0.4), 4 do not (p = 0.01)"), std::string::npos)
      << result.reason;
  result.reason.clear();
  result.k_high = 3;  // only three are plausible
  decide_verdict(result, {});
  EXPECT_EQ(result.verdict, Verdict::proportions) << result.sentence;
}

TEST(TestChanges, AskAlsoFewerMembersThanTheBestWhereBicDoesNotRuleThemOut) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    // A curved group, which one Gaussian describes about as well as two, beside another one.
    const double curved = 0.05 * static_cast<double>(seed);
    Matrix x = testing::draw_gaussian(120, 2, rng), y = testing::draw_gaussian(120, 2, rng);
    for (std::size_t i = 0; i < 120; ++i) {
      x(i, 1) += curved * x(i, 0) * x(i, 0);
      y(i, 1) += curved * y(i, 0) * y(i, 0);
      x(i, 0) += i % 4 == 0 ? 20.0 : 0.0;
      y(i, 0) += i % 4 < 3 ? 20.0 : 0.0;
    }
    const ChangeTests tests = test_changes(pool_rows({x, {}}, {y, {}}, 1000), {.trees = 40});
    double most = 0.0;
    ASSERT_FALSE(tests.members.empty());
    EXPECT_EQ(tests.members.front().k,
              std::min(std::max<std::size_t>(tests.choice.k_low, 2), tests.choice.k));
    for (const KReading& reading : tests.members) {
      if (reading.k >= tests.choice.k) most = std::max(most, reading.p);
    }
    EXPECT_EQ(tests.p_members, most);
    seen += tests.members.front().k < tests.choice.k;
  }
  EXPECT_GE(seen, 1);
}

// Y has many rows where X has few: five times the share, between the narrower bound and R.
CompareResult seen_by_both_looks_only() {
  CompareResult result;
  result.verdict = Verdict::components;
  result.rows_tested_x = result.rows_tested_y = 100;
  result.p_same = 0.001;
  result.p_ratio = 0.4;
  result.p_ratio_narrow = 0.02;
  result.p_components = result.p_members = 0.02;
  result.share_bound = 6.0;
  result.smallest_share = 0.1;
  result.k = 2;
  result.pi_x = result.pi_y = {0.5, 0.5};
  result.more_in_y = {.share_x = 0.08,
                      .share_y = 0.4,
                      .p = 0.4,
                      .p_narrow = 0.01,
                      .bound = 4.5,
                      .centre = {1.0},
                      .rows_x = {},
                      .rows_y = {}};
  result.more_in_x = {.share_x = 0.3,
                      .share_y = 0.1,
                      .p = 0.3,
                      .p_narrow = 0.2,
                      .bound = 4.5,
                      .centre = {0.0},
                      .rows_x = {90, 91},
                      .rows_y = {}};
  for (std::size_t i = 0; i < 100; ++i) {
    result.scores_x.push_back({.row = i});
    result.scores_y.push_back({.row = i});
    if (i < 8) result.more_in_y.rows_x.push_back(i);
    if (i < 40) result.more_in_y.rows_y.push_back(i);
  }
  return result;
}

TEST(WeighRows, CountTheRowsOfTheDecidingRegionForTheVerdictAtTheBoundThatDecided) {
  CompareResult result = seen_by_both_looks_only();
  weigh_rows(result, 0.05);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(result.scores_y[i].weight > 0.0, i < 40) << i;
    EXPECT_EQ(result.scores_x[i].weight < 0.0, i < 8) << i;
  }
}

TEST(DecideVerdict, NamesTheRegionThatDecided) {
  CompareResult result = seen_by_both_looks_only();
  decide_verdict(result, {});
  EXPECT_NE(result.sentence.find("40 % of Y lies where 8 % of X does"), std::string::npos)
      << result.sentence;
}

TEST(DecideVerdict, NamesNoRegionWhereKnownClassesDecided) {
  CompareResult result = seen_by_both_looks_only();
  result.p_ratio_narrow = 0.9;
  result.more_in_x = result.more_in_y = {};
  result.classes.resize(2);
  decide_verdict(result, {});
  EXPECT_EQ(result.sentence.find("0 % of"), std::string::npos) << result.sentence;
  EXPECT_NE(result.sentence.find("no mix of the classes of X gives Y"), std::string::npos);
}

TEST(DecideVerdict, DoesNotCallSamplesTheSameThatAreTooSmallToShowANewMember) {
  CompareResult result;
  result.p_same = 0.3;
  result.p_components = 0.4;
  result.rows_tested_x = result.rows_tested_y = 5;
  result.smallest_share = 1.6;
  decide_verdict(result, {});
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_NE(result.reason.find("with 5 rows"), std::string::npos) << result.reason;
  result.reason.clear();
  result.smallest_share = 0.9;
  decide_verdict(result, {});
  EXPECT_EQ(result.verdict, Verdict::same);
}

TEST(Compare, NeverCallsDisjointSamplesAlike) {
  // Two groups of X, two others of Y, told by the first of five columns alone.
  for (const std::size_t rows : {5, 20, 50}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Rng rng(seed);
      Matrix x = testing::draw_gaussian(rows, 5, rng), y = testing::draw_gaussian(rows, 5, rng);
      for (std::size_t i = 0; i < rows; ++i) {
        x(i, 0) += i % 2 == 0 ? 20.0 : 0.0;
        y(i, 0) += i % 2 == 0 ? 40.0 : 60.0;
      }
      Rng own(seed);
      const CompareResult result = compare({x, {}}, {y, {}}, {}, own);
      EXPECT_TRUE(result.verdict == Verdict::components || result.verdict == Verdict::undecided)
          << rows << " rows, seed " << seed << ": " << result.sentence;
    }
  }
}

TEST(ColumnScale, IsTheSameInAllUnitsAndTamesFarValues) {
  std::vector<double> values, other;
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    values.push_back(rng.normal());
    other.push_back(1000.0 * values.back() - 3.0);
  }
  const ColumnScale a = column_scale(values), b = column_scale(other);
  for (int i = 0; i < 200; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(a.apply(values[at]), b.apply(other[at]), 1e-8);
  }
  EXPECT_NEAR(a.width, 1.0, 0.2);
  EXPECT_LT(a.apply(1e6), 20.0);
  EXPECT_FALSE(column_scale({2.0, 2.0, 2.0}).varies());
}

}  // namespace
}  // namespace nw::measure
