#include "nw/run/training_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/run/run_directory.hpp"

#include "io/io_test_support.hpp"

namespace nw::run {
namespace {

using io::test::TemporaryFolder;
using testing::HasSubstr;

TEST(MetricSeries, GroupsByWhatStandsBeforeTheSlashAndListsByTheirName) {
  const std::vector<MetricsRow> rows = {
      {.step = 1, .values = {{"loss/critic", 1.0}, {"pi", std::vector{0.25, 0.75}}}},
      {.step = 2, .values = {{"loss/critic", 2.0}, {"loss/generator", 3.0}, {"w", 4.0}}}};
  const auto series = metric_series(rows);
  std::vector<std::string> names, charts;
  for (const auto& line : series) {
    names.push_back(line.name);
    charts.push_back(line.chart);
  }
  EXPECT_THAT(names, testing::ElementsAre("loss/critic", "pi 1", "pi 2", "loss/generator", "w"));
  EXPECT_THAT(charts, testing::ElementsAre("loss", "pi", "pi", "loss", "w"));
  EXPECT_EQ(series[0].x, (std::vector{1.0, 2.0}));
  EXPECT_EQ(series[2].y, std::vector{0.75});
}

TEST(MetricSeries, ThinsLongRunsAndKeepsTheirEnds) {
  std::vector<MetricsRow> rows;
  for (int step = 0; step < 10000; ++step) {
    rows.push_back({.step = step, .values = {{"loss", static_cast<double>(step)}}});
  }
  const auto series = metric_series(rows, 100);
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].x.size(), 100U);
  EXPECT_EQ(series[0].x.front(), 0.0);
  EXPECT_EQ(series[0].x.back(), 9999.0);
  EXPECT_EQ(series[0].x, series[0].y);
}

TEST(ReadRun, TellsWhatAnUnfinishedRunHasDoneSoFar) {
  const TemporaryFolder folder;
  RunDirectory run(folder.file("walk"), R"({"command":"toy","batch":64,"rate":0.5})");
  EXPECT_THAT(read_run(run.path()).sentence, HasSubstr("logged nothing"));
  run.log({.step = 3, .values = {{"loss", 1.0}}});
  const record::RunRecord record = read_run(run.path());
  EXPECT_THAT(record.sentence, HasSubstr("3 steps so far"));
  EXPECT_EQ(record.kind, record::RunKind::training);
  EXPECT_EQ(record.command, "toy");
  EXPECT_EQ(record.title, "walk");
  EXPECT_FALSE(record.converged);
  EXPECT_EQ(record.settings.size(), 3U);
  EXPECT_EQ(record.series.size(), 1U);
}

TEST(ReadRun, TakesTheResultOfAFinishedRun) {
  const TemporaryFolder folder;
  RunDirectory run(folder.file("walk"), "{}");
  record::RunRecord result;
  result.kind = record::RunKind::training;
  result.sentence = "Done.";
  run.finish(result);
  EXPECT_EQ(read_run(run.path()).sentence, "Done.");
  EXPECT_EQ(read_run(run.path() / "result.json").sentence, "Done.");
}

}  // namespace
}  // namespace nw::run
