// Many comparisons in one process: memory that is not given back would show.
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

namespace nw::measure {
namespace {

constexpr int kWarmUp = 50;

/// 1000 with NW_SOAK_CALLS=1000; fewer by default, which shows a leak as well.
int calls() {
  const char* const asked = std::getenv("NW_SOAK_CALLS");
  return asked == nullptr ? 250 : std::atoi(asked);
}

Matrix cloud(std::size_t rows, double shift, Rng& rng) {
  Matrix points(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    points(i, 0) = rng.normal() + (rng.uniform() < 0.3 ? 8.0 : shift);
    points(i, 1) = rng.normal();
  }
  return points;
}

/// Pages in memory now (not at the peak), in MB.
double resident_mb() {
  std::ifstream statm("/proc/self/statm");
  double total = 0.0, resident = 0.0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

TEST(Soak, ManyComparisonsLeaveMemoryAsTheyFoundIt) {
  const int all = calls();
  Rng data(3);
  std::size_t allocated_after_warm_up = 0;
  double resident_after_warm_up = 0.0;
  for (int call = 0; call < all; ++call) {
    const Matrix x = cloud(40, 0.0, data), y = cloud(50, 0.5, data);
    Rng rng(static_cast<std::uint64_t>(call));
    CompareOptions options{.components = 2, .resamplings = 19, .alpha_components = 0.05};
    options.nw.restarts = 1;
    options.nw.floor_replicates = 1;
    const CompareResult result = compare({.points = x}, {.points = y}, options, rng);
    ASSERT_EQ(result.k, 2U);
    if (call + 1 == kWarmUp) {
      allocated_after_warm_up = mallinfo2().uordblks;
      resident_after_warm_up = resident_mb();
    }
  }
  const std::size_t allocated = mallinfo2().uordblks;
  const double resident = resident_mb();
  RecordProperty("resident_mb", std::to_string(resident));
  std::cout << all << " calls: allocated " << allocated_after_warm_up << " -> " << allocated
            << " bytes, resident " << resident_after_warm_up << " -> " << resident << " MB\n";
  EXPECT_LT(allocated, allocated_after_warm_up + 100000);
  EXPECT_LT(resident, resident_after_warm_up + 8.0);
}

}  // namespace
}  // namespace nw::measure
