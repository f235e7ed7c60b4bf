#include "nw/base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceForEveryThreadCountAndGrain) {
  for (const int threads : {1, 2, 5}) {
    for (const std::size_t grain : {1UL, 7UL, 1000UL, 5000UL}) {
      std::vector<std::atomic<int>> visits(1234);
      parallel_for(threads, visits.size(), grain,
                   [&](std::size_t begin, std::size_t end, int worker) {
                     EXPECT_LT(worker, threads);
                     for (std::size_t i = begin; i < end; ++i) ++visits[i];
                   });
      for (const auto& count : visits) ASSERT_EQ(count.load(), 1);
    }
  }
}

TEST(ParallelFor, RethrowsWhatABodyThrowsAndCanBeUsedAgain) {
  const auto failing = [](std::size_t begin, std::size_t, int) {
    if (begin == 50) throw std::runtime_error("index 50");
  };
  EXPECT_THROW(parallel_for(3, 100, 1, failing), std::runtime_error);
  std::atomic<int> sum{0};
  parallel_for(3, 100, 1,
               [&](std::size_t begin, std::size_t, int) { sum += static_cast<int>(begin); });
  EXPECT_EQ(sum.load(), 4950);
}

TEST(ParallelFor, NestedAndConcurrentLoopsFinish) {
  std::atomic<int> sum{0};
  const auto nested = [&] {
    parallel_for(2, 20, 1, [&](std::size_t, std::size_t, int) {
      parallel_for(2, 10, 1, [&](std::size_t, std::size_t, int) { ++sum; });
    });
  };
  std::thread other(nested);
  nested();
  other.join();
  EXPECT_EQ(sum.load(), 400);
}

TEST(ResolveThreads, ZeroMeansAllCoresAndNegativeIsRejected) {
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_THROW((void)resolve_threads(-1), InvalidArgument);
}

}  // namespace
}  // namespace nw
