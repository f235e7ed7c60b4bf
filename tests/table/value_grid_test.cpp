// Values counted in steps: whole numbers that no unit changes.
#include "nw/table/value_grid.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What a file holds when a number of so many decimals is written in another unit.
double written(long long mantissa, int decimals, long long times, long long plus) {
  long long one = 1;
  for (int i = 0; i < decimals; ++i) one *= 10;
  const long long all = mantissa * times + plus * one;
  std::string text = std::to_string(std::llabs(all));
  while (static_cast<int>(text.size()) <= decimals) text.insert(0, "0");
  text.insert(text.size() - static_cast<std::size_t>(decimals), ".");
  return std::strtod(((all < 0 ? "-" : "") + text).c_str(), nullptr);
}

std::vector<double> steps(const std::vector<double>& values) {
  const ValueGrid grid = find_grid(values, {});
  std::vector<double> found;
  for (const double value : values) found.push_back(grid.steps(value));
  return found;
}

TEST(ValueGrid, CountsTheSameStepsInEveryUnit) {
  Rng rng(3);
  for (int decimals = 0; decimals <= 9; ++decimals) {
    std::vector<long long> mantissas;
    for (int i = 0; i < 60; ++i) {
      mantissas.push_back(std::llround(3.0 * rng.normal() * std::pow(10.0, decimals)));
    }
    const auto in_unit = [&](long long times, long long plus) {
      std::vector<double> values;
      for (const long long m : mantissas) values.push_back(written(m, decimals, times, plus));
      return steps(values);
    };
    const std::vector<double> plain = in_unit(1, 0);
    for (const double count : plain) EXPECT_EQ(count, std::round(count));
    EXPECT_EQ(in_unit(1000, 0), plain) << decimals;
    EXPECT_EQ(in_unit(1, 1'000'000), plain) << decimals;
    EXPECT_EQ(in_unit(7, -12345), plain) << decimals;
  }
}

TEST(ValueGrid, GoesBackToTheValues) {
  const std::vector<double> values{4.3, 4.5, 5.0, kNone};
  const ValueGrid grid = find_grid(values, {});
  EXPECT_DOUBLE_EQ(grid.origin, 4.3);
  EXPECT_DOUBLE_EQ(grid.step, 0.1);
  EXPECT_EQ(grid.steps(5.0), 7.0);
  EXPECT_DOUBLE_EQ(grid.value(7.0), 5.0);
  EXPECT_DOUBLE_EQ(grid.length(2.0), 0.2);
  EXPECT_TRUE(std::isnan(grid.steps(kNone)));
  EXPECT_NEAR(grid.steps(4.55), 2.5, 1e-9) << "between two points";
}

TEST(ValueGrid, TakesBothPartsAndTheCoarsestStep) {
  const std::vector<double> days{0.0, 86400.0, 259200.0}, more{172800.0, -86400.0};
  const ValueGrid grid = find_grid(days, more);
  EXPECT_EQ(grid.origin, -86400.0);
  EXPECT_EQ(grid.step, 86400.0);
}

TEST(ValueGrid, LeavesValuesWithoutOneAsTheyAre) {
  Rng rng(4);
  std::vector<double> values;
  for (int i = 0; i < 50; ++i) values.push_back(rng.normal());
  EXPECT_EQ(find_grid(values, {}), ValueGrid{});
  EXPECT_EQ(steps(values), values);
  EXPECT_EQ(find_grid({}, {}), ValueGrid{});
  const std::vector<double> constant{2.5, 2.5},
      endless{1.0, std::numeric_limits<double>::infinity()}, huge{1e300, 2e300};
  EXPECT_EQ(find_grid(constant, {}), ValueGrid{});
  EXPECT_EQ(find_grid(endless, {}), ValueGrid{});
  EXPECT_EQ(find_grid(huge, {}), ValueGrid{});
}

TEST(ValueGrid, AFewValuesMayLieBetween) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(0.01 * i);
  values.push_back(0.1234567890123);
  const ValueGrid grid = find_grid(values, {});
  EXPECT_DOUBLE_EQ(grid.step, 0.01);
  EXPECT_NEAR(grid.value(grid.steps(values.back())), values.back(), 1e-15);
}

TEST(Encoding, UnitsChangeNoBitOfTheCoordinates) {
  const auto table = [](long long times, long long plus) {
    Rng rng(5);
    std::string text = "v,w\n";
    for (int i = 0; i < 80; ++i) {
      char line[64];
      std::snprintf(line, sizeof line, "%.3f,%.3f\n",
                    written(std::llround(1000.0 * rng.normal()), 3, times, plus), rng.normal());
      text += i % 9 == 0 ? "," + std::string(line).substr(std::string(line).find(',') + 1) : line;
    }
    return text;
  };
  for (const Scale scale : {Scale::std, Scale::robust, Scale::rank}) {
    const auto values = [&](long long times, long long plus) {
      const std::string text = table(times, plus);
      const Inputs inputs = test::encode(text, text, {.scale = scale});
      return std::vector<double>(inputs.x.values.values().begin(), inputs.x.values.values().end());
    };
    const std::vector<double> plain = values(1, 0);
    EXPECT_EQ(values(1000, 0), plain) << to_string(scale);
    EXPECT_EQ(values(1, 1'000'000), plain) << to_string(scale);
  }
}

}  // namespace
}  // namespace nw::table
