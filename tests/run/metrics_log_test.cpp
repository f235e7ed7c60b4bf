#include "nw/run/metrics_log.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_test_support.hpp"

namespace nw::run {
namespace {

using io::test::content_of_file;
using io::test::io_error;
using io::test::TemporaryFolder;
using testing::HasSubstr;

MetricsRow row(std::int64_t step, double loss) {
  return {.step = step, .values = {{"loss", loss}}};
}

TEST(MetricsLog, RowsComeBackBitForBit) {
  const TemporaryFolder folder;
  const auto file = folder.file("metrics.jsonl");
  const std::vector<MetricsRow> rows = {
      {.step = 1, .values = {{"loss", 0.1}, {"pi", std::vector{1.0 / 3.0, 2.0 / 3.0}}}},
      {.step = 2, .values = {{"loss", 5e-324}, {"pi", std::vector{1e300, -0.0}}}}};
  MetricsLog log(file, 0);
  for (const auto& one : rows) log.append(one);
  log.sync();
  EXPECT_EQ(read_metrics(file), rows);
  EXPECT_EQ(log.rows(), 2U);
  EXPECT_THAT(content_of_file(file), HasSubstr(R"({"step":1,"loss":0.1,"pi":[)"));
}

TEST(MetricsLog, NotANumberBecomesNullAndReadsAsNotANumber) {
  const TemporaryFolder folder;
  const auto file = folder.file("metrics.jsonl");
  MetricsLog(file, 0).append(row(1, std::numeric_limits<double>::infinity()));
  EXPECT_EQ(content_of_file(file), "{\"step\":1,\"loss\":null}\n");
  EXPECT_TRUE(std::isnan(std::get<double>(read_metrics(file)[0].values[0].second)));
}

TEST(MetricsLog, OpeningCutsOffATornLineAndEverythingBeyondTheRowsToKeep) {
  const TemporaryFolder folder;
  const std::string three = "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n";
  for (const char* torn : {"", "{\"st", "{\"step\":4}"}) {
    const auto file = folder.write("metrics.jsonl", three + torn);
    EXPECT_EQ(read_metrics(file).size(), 3U);
    MetricsLog log(file, 2);
    EXPECT_EQ(log.rows(), 2U);
    EXPECT_EQ(content_of_file(file), "{\"step\":1}\n{\"step\":2}\n");
    log.append(row(3, 0.5));
    EXPECT_EQ(read_metrics(file).back(), row(3, 0.5));
  }
}

TEST(MetricsLog, SaysHowManyRowsAreLeftOfAFileThatLostSome) {
  const TemporaryFolder folder;
  const auto file = folder.write("metrics.jsonl", "{\"step\":1}\nrubbish\n{\"step\":3}\n");
  EXPECT_EQ(MetricsLog(file, 3).rows(), 1U);
  EXPECT_EQ(content_of_file(file), "{\"step\":1}\n");
}

TEST(MetricsLog, ReadingNamesTheLineThatIsNoRow) {
  const TemporaryFolder folder;
  for (const char* bad :
       {"rubbish", "[1]", "{\"loss\":1}", "{\"step\":\"one\"}", "{\"step\":1.5}"}) {
    const auto file = folder.write("m.jsonl", std::string("{\"step\":1}\n") + bad + "\n");
    EXPECT_THAT(
        io_error([&] { static_cast<void>(read_metrics(file)); }),
        testing::AllOf(HasSubstr("m.jsonl: line 2"), HasSubstr(std::string(bad).substr(0, 5))));
  }
}

TEST(MetricsLog, RefusesStepsThatGoBack) {
  const TemporaryFolder folder;
  MetricsLog log(folder.file("m.jsonl"), 0);
  log.append(row(5, 1.0));
  log.append(row(5, 2.0));
  EXPECT_THROW(log.append(row(4, 3.0)), InvalidArgument);
  EXPECT_THROW(log.append({.step = 6, .values = {{"step", 1.0}}}), InvalidArgument);
  EXPECT_EQ(log.rows(), 2U);
}

}  // namespace
}  // namespace nw::run
