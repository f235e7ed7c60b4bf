#include "measure/change_tests.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/domain_forest.hpp"
#include "measure/energy_test.hpp"
#include "measure/mixtures.hpp"
#include "measure/ratio_scan.hpp"

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
