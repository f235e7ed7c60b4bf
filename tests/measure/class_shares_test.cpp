// Shares of the classes of X in Y, where the classes of X are known.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nw/base/error.hpp"

#include "measure/class_tests.hpp"
#include "measure/mixtures.hpp"
#include "measure/one_story.hpp"
#include "measure/share_routes.hpp"

namespace nw::measure {
namespace {

using ::testing::HasSubstr;

/// Three classes in a row, 2.5 deviations apart.
struct Classed {
  Matrix x, y;
  std::vector<std::uint32_t> class_of;
};

struct ClassedOptions {
  std::size_t rows = 200;
  std::vector<double> share_x{0.5, 0.3, 0.2}, share_y{0.1, 0.3, 0.6};
  double moved = 0.0;  ///< the second class of Y, along the second column
};

Classed draw_classes(const ClassedOptions& options, Rng& rng) {
  Classed data{testing::draw_gaussian(options.rows, 2, rng),
               testing::draw_gaussian(options.rows, 2, rng),
               {}};
  for (std::size_t i = 0; i < options.rows; ++i) {
    const std::size_t c = rng.categorical(options.share_x), d = rng.categorical(options.share_y);
    data.x(i, 0) += 2.5 * static_cast<double>(c);
    data.y(i, 0) += 2.5 * static_cast<double>(d);
    if (d == 1) data.y(i, 1) += options.moved;
    data.class_of.push_back(static_cast<std::uint32_t>(c));
  }
  return data;
}

ClassTests tests_of(const Classed& data, const ClassOptions& options) {
  const PooledRows pool = pool_rows({data.x, {}}, {data.y, {}}, 1000);
  std::vector<std::uint32_t> pooled;
  for (std::size_t i = 0; i < pool.in_x; ++i) pooled.push_back(data.class_of[pool.row[i]]);
  return test_classes(pool, pooled, options, Rng(pool.fingerprint));
}

TEST(ClassShares, LieInTheirIntervalsAsOftenAsTheseSay) {
  Rng rng(51);
  const ClassedOptions drawn{.rows = 150};
  int inside = 0, asked = 0;
  double error = 0.0, width = 0.0;
  for (int t = 0; t < 20; ++t) {
    const ClassTests tests =
        tests_of(draw_classes(drawn, rng),
                 {.classes = 3, .trees = 40, .domain_trees = 20, .resamplings = 40});
    for (std::size_t c = 0; c < 3; ++c) {
      const auto& [low, high] = tests.share_y.interval[c];
      EXPECT_LE(low, tests.share_y.share[c]);
      EXPECT_GE(high, tests.share_y.share[c]);
      inside += low <= drawn.share_y[c] && drawn.share_y[c] <= high;
      error += std::abs(tests.share_y.share[c] - drawn.share_y[c]) / 60.0;
      width += (high - low) / 60.0;
      ++asked;
      // The answer's interval holds every way to the share.
      for (const ShareRoute& route : tests.routes) {
        EXPECT_LE(low, route.shares.share[c] + 1e-12) << route.name;
        EXPECT_GE(high, route.shares.share[c] - 1e-12) << route.name;
      }
    }
  }
  EXPECT_GE(inside, 52) << "of " << asked;  // 57 are expected
  EXPECT_LT(error, 0.06);                   // 0.03 if Y's classes were counted
  EXPECT_LT(width, 0.3);
}

TEST(ClassShares, ComeByFourWaysThatAgreeWhereOnlyTheMixChanged) {
  Rng rng(52);
  const ClassedOptions drawn{.rows = 600};
  const ClassTests tests = tests_of(draw_classes(drawn, rng), {.classes = 3, .resamplings = 40});
  ASSERT_EQ(tests.routes.size(), 4u);
  EXPECT_EQ(tests.routes[0].name, "likelihood");
  EXPECT_EQ(tests.routes[0].shares.share, tests.share_y.share);
  for (const auto& [name, shares] : tests.routes) {
    EXPECT_NEAR(std::accumulate(shares.share.begin(), shares.share.end(), 0.0), 1.0, 1e-6) << name;
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(shares.share[c], drawn.share_y[c], 0.08) << name;
      EXPECT_LE(shares.interval[c].low, shares.share[c]) << name;
      EXPECT_GE(shares.interval[c].high, shares.share[c]) << name;
    }
  }
}

TEST(ClassShares, AgreeWithThePosteriorsOfScikitLearnAndEmInNumPy) {
  namespace fs = std::filesystem;
  Rng rng(53);
  const Classed data = draw_classes({.rows = 800}, rng);
  const auto folder = fs::temp_directory_path() / ("nw_shares_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  {
    std::ofstream file(folder / "data", std::ios::binary);
    const std::int64_t size[4] = {800, 800, 2, 3};
    file.write(reinterpret_cast<const char*>(size), sizeof size);
    for (const Matrix* side : {&data.x, &data.y}) {
      file.write(reinterpret_cast<const char*>(side->values().data()), 800 * 2 * 8);
    }
    for (const std::uint32_t c : data.class_of) {
      const double number = c;
      file.write(reinterpret_cast<const char*>(&number), 8);
    }
  }
  const std::string command = std::string(NW_PYTHON " " NW_CLASS_SHARES " ") +
                              (folder / "data").string() + " " + (folder / "answer").string();
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  double theirs[6] = {};
  std::ifstream(folder / "answer", std::ios::binary)
      .read(reinterpret_cast<char*>(theirs), sizeof theirs);
  fs::remove_all(folder);
  if (code == 77 || code == 127) GTEST_SKIP() << "scikit-learn is not there";
  ASSERT_EQ(code, 0);
  const ClassTests tests = tests_of(data, {.classes = 3, .trees = 400, .resamplings = 20});
  for (std::size_t c = 0; c < 3; ++c) {
    // Other forests and another calibration, the same rows.
    EXPECT_NEAR(tests.routes[0].shares.share[c], theirs[c], 0.03) << c;
    EXPECT_NEAR(tests.routes[1].shares.share[c], theirs[3 + c], 0.04) << c;
  }
}

TEST(ClassShares, OfAClassWithoutRowsAreNotKnown) {
  Rng rng(54);
  const ClassTests tests = tests_of(draw_classes({}, rng), {.classes = 4, .resamplings = 20});
  EXPECT_EQ(tests.share_x[3], 0.0);
  EXPECT_EQ(tests.share_y.share[3], 0.0);
  EXPECT_EQ(tests.share_y.interval[3], (Interval{0.0, 1.0}));
  EXPECT_NEAR(tests.share_y.share[2], 0.6, 0.15);
}

TEST(Widened, ReachesFromTheSmallestShareToTheLargestAndByTheErrorBeyond) {
  const ShareEstimate answer{.share = {0.4, 0.6}, .interval = {{0.35, 0.5}, {0.5, 0.65}}};
  const ShareEstimate wide = widened(
      answer, {{.share = {0.3, 0.7}, .interval = {}}, {.share = {0.45, 0.55}, .interval = {}}});
  EXPECT_EQ(wide.share, answer.share);
  EXPECT_NEAR(wide.interval[0].low, 0.25, 1e-12);
  EXPECT_NEAR(wide.interval[0].high, 0.55, 1e-12);
  EXPECT_NEAR(wide.interval[1].low, 0.45, 1e-12);
  EXPECT_NEAR(wide.interval[1].high, 0.75, 1e-12);
}

TEST(RoutesInWords, NameTheClassOnWhichTheWaysAreFurthestApart) {
  const std::vector<ShareRoute> routes{{"likelihood", {.share = {0.4, 0.5, 0.1}, .interval = {}}},
                                       {"confusion", {.share = {0.42, 0.38, 0.2}, .interval = {}}},
                                       {"transport", {.share = {0.4, 0.5, 0.1}, .interval = {}}}};
  const std::string text = routes_in_words(routes, {"cat", "dog", "emu"});
  EXPECT_THAT(text, HasSubstr("class dog: 50 %, but 38 % by confusion and 50 % by transport"));
  EXPECT_THAT(routes_in_words(routes, {}), HasSubstr("class 2"));
  EXPECT_EQ(routes_in_words({routes[0]}, {}), "");
}

TEST(Compare, TellsOneStoryOfKnownClasses) {
  CompareOptions options;
  options.resamplings = 49;
  options.trees = 60;
  options.nw.floor_replicates = 2;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Rng rng(60 + seed);
    SCOPED_TRACE(seed);
    const Classed data = draw_classes({.rows = 160, .moved = seed % 2 == 0 ? 3.0 : 0.0}, rng);
    options.class_of_x = data.class_of;
    Rng own(1);
    const CompareResult result = compare({data.x, {}}, {data.y, {}}, options, own);
    EXPECT_EQ(result.verdict, seed % 2 == 0 ? Verdict::components : Verdict::proportions)
        << result.sentence;
    testing::expect_one_story(result, options);
    ASSERT_EQ(result.classes.size(), 3u);
    ASSERT_EQ(result.share_routes.size(), 4u);
    for (std::size_t c = 0; c < 3; ++c) {
      // Components, classes and the first way hold the same shares.
      EXPECT_EQ(result.pi_x[c], result.classes[c].share_x);
      EXPECT_EQ(result.pi_y[c], result.classes[c].share_y);
      EXPECT_EQ(result.pi_y_interval[c], result.classes[c].share_y_interval);
      EXPECT_EQ(result.pi_y[c], result.share_routes[0].shares.share[c]);
      EXPECT_EQ(result.pi_x[c], static_cast<double>(std::ranges::count(data.class_of, c)) / 160.0);
    }
    // The bound on the change of the mix holds what any way finds.
    for (const ShareRoute& route : result.share_routes) {
      double change = 0.0;
      for (std::size_t c = 0; c < 3; ++c) {
        change += 0.5 * std::abs(route.shares.share[c] - result.pi_x[c]);
      }
      EXPECT_LE(change, result.effect.mix_change_interval.high + 1e-9) << route.name;
    }
  }
}

}  // namespace
}  // namespace nw::measure
