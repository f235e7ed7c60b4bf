#include "measure/stop_check.hpp"

#include <atomic>
#include <ctime>
#include <thread>

#include <gtest/gtest.h>

#include "nw/base/parallel.hpp"
#include "nw/measure/compare.hpp"

#include "measure/mixtures.hpp"

namespace nw::measure {
namespace {

TEST(StopCheck, NeverStopsWithoutAnObserver) {
  const StopCheck stop;
  EXPECT_NO_THROW(stop());
  EXPECT_NO_THROW(stop.stage("anything", 0.5));
}

TEST(StopCheck, AsksFromOneThreadAndStopsAllOfThem) {
  const auto owner = std::this_thread::get_id();
  std::atomic<int> strangers{0}, done{0};
  const StopCheck stop([&](const Progress& now) {
    strangers += std::this_thread::get_id() != owner;
    return now.share < 0.5 || done < 20;
  });
  stop.stage("first", 0.2);
  stop.stage("second", 0.7);
  constexpr std::size_t kPieces = 100000;
  EXPECT_THROW(parallel_for(4, kPieces, 1,
                            [&](std::size_t, std::size_t, int) {
                              stop();
                              std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              ++done;
                            }),
               Stopped);
  EXPECT_LT(done, 5000);
  EXPECT_EQ(strangers, 0);
  EXPECT_THROW(stop(), Stopped);
}

TEST(Compare, NeverTakesBackWhatItSaidWasDone) {
  Rng rng(4);
  const Matrix x = testing::draw_gaussian(300, 3, rng), y = testing::draw_gaussian(300, 3, rng);
  double before = 0.0;
  CompareOptions options;
  options.observer = [&](const Progress& now) {
    EXPECT_GE(now.share, before) << now.stage;
    EXPECT_LE(now.share, 1.0) << now.stage;
    before = now.share;
    return true;
  };
  Rng own(1);
  (void)compare({x, {}}, {y, {}}, options, own);
  EXPECT_GE(before, 0.9);
}

// The longest time of this process's CPU between two questions.
double longest_silence(bool classes_known) {
  constexpr std::size_t kRows = 1500;
  Rng rng(3);
  Matrix x = testing::draw_gaussian(kRows, 8, rng), y = testing::draw_gaussian(kRows, 8, rng);
  CompareOptions options;
  options.nw.threads = 1;
  for (std::size_t i = 0; i < kRows; ++i) {
    x(i, 0) += static_cast<double>(i % 3 == 0 ? 1 : i % 4) * 5.0;
    y(i, 0) += static_cast<double>(i % 4) * 5.0;
    if (classes_known) options.class_of_x.push_back(i % 3 == 0 ? 1 : i % 4);
  }
  std::clock_t last = std::clock(), longest = 0;
  options.observer = [&](const Progress&) {
    longest = std::max(longest, std::clock() - last);
    last = std::clock();
    return true;
  };
  Rng own(1);
  (void)compare({x, {}}, {y, {}}, options, own);
  return static_cast<double>(longest) / CLOCKS_PER_SEC;
}

TEST(Compare, AsksWhetherToGoOnTwicePerSecondWhereverItIs) {
  EXPECT_LT(longest_silence(false), 0.5);
  EXPECT_LT(longest_silence(true), 0.5);
}

TEST(Compare, SaysThatItWasStoppedWhereverThatHappens) {
  Rng rng(4);
  const Matrix x = testing::draw_gaussian(300, 3, rng), y = testing::draw_gaussian(300, 3, rng);
  for (const char* at : {"tests", "fit", "members", "components", "intervals"}) {
    CompareOptions options;
    bool seen = false;
    options.observer = [&](const Progress& now) {
      seen = seen || now.stage == at;
      return !seen;
    };
    Rng own(1);
    const CompareResult result = compare({x, {}}, {y, {}}, options, own);
    EXPECT_TRUE(seen) << at;
    EXPECT_TRUE(result.interrupted) << at;
    EXPECT_EQ(result.verdict, Verdict::undecided) << at;
  }
}

}  // namespace
}  // namespace nw::measure
