// Plans as files, distances between several data sets, and certificates in words.
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/app/transport/bounds_chart.hpp"
#include "nw/app/transport/coupling_file.hpp"
#include "nw/app/transport/pair_distances.hpp"
#include "nw/app/transport/transport_record.hpp"

#include "io/io_test_support.hpp"

namespace nw::app {
namespace {

using io::test::TemporaryFolder;
using ::testing::HasSubstr;

/// Points on a line, one a row.
io::PointSet on_a_line(const std::vector<double>& places) {
  io::PointSet set;
  set.values = Matrix(places.size(), 1);
  for (std::size_t i = 0; i < places.size(); ++i) set.values(i, 0) = places[i];
  return set;
}

TEST(DrawBounds, PutsCostAndLowerBoundIntoOneChartOfThePage) {
  ot::WassersteinResult result;
  record::RunRecord record;
  result.transport.history = {{.seconds = 0.5, .pivots = 1, .cost = 3.0, .dual_objective = 1.0}};
  draw_bounds(result, 2, record);
  EXPECT_TRUE(record.series.empty()) << "one moment is no curve";
  result.transport.history.push_back(
      {.seconds = 0.75, .pivots = 9, .cost = 2.0, .dual_objective = 2.0});
  draw_bounds(result, 2, record);
  ASSERT_EQ(record.series.size(), 2u);
  const record::Series &cost = record.series[0], &bound = record.series[1];
  EXPECT_EQ(cost.chart, bound.chart);
  EXPECT_EQ(cost.y_label, "W2²");
  EXPECT_EQ(cost.y, (std::vector<double>{3.0, 2.0}));
  EXPECT_EQ(bound.y, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(bound.x, (std::vector<double>{0.5, 0.75}));
}

TEST(CouplingFile, ReadsThePlanThatItWrote) {
  const TemporaryFolder folder;
  ot::TransportResult result;
  result.plan = {{0, 1, 0.25}, {1, 0, 0.5}, {2, 1, 0.25}};
  for (const char* name : {"plan.csv", "plan.npz"}) {
    const std::string file = (folder.path() / name).string();
    write_plan(file, result);
    const auto plan = read_plan(file, 3, 2);
    ASSERT_EQ(plan.size(), 3u) << name;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(plan[k].source, result.plan[k].source);
      EXPECT_EQ(plan[k].target, result.plan[k].target);
      EXPECT_EQ(plan[k].mass, result.plan[k].mass);
    }
  }
}

TEST(CouplingFile, TakesAMatrixOfMassesAndLeavesItsZerosOut) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "matrix.csv").string();
  std::ofstream(file) << "0.5,0\n0,0.25\n0,0.25\n";
  const auto plan = read_plan(file, 3, 2);
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[2].source, 2u);
  EXPECT_EQ(plan[2].target, 1u);
}

TEST(CouplingFile, NamesTheEntryThatIsOutsideOfTheProblem) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "plan.csv").string();
  std::ofstream(file) << "source,target,mass\n0,0,0.5\n7,0,0.5\n";
  try {
    static_cast<void>(read_plan(file, 3, 2));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("entry 1: the source is 7"));
  }
}

TEST(PairDistances, AreDifferencesOfMeansBetweenShiftedCopies) {
  const std::vector<io::PointSet> sets{on_a_line({0, 1}), on_a_line({3, 4}), on_a_line({-1, 0})};
  for (const int p : {1, 2}) {
    const PairDistances found = pair_distances(sets, {.p = p, .threads = 1});
    EXPECT_TRUE(found.certified);
    const double expected[3][3] = {{0, 3, 1}, {3, 0, 4}, {1, 4, 0}};
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_NEAR(found.distances(a, b), expected[a][b], 1e-12) << p << ' ' << a << ' ' << b;
      }
    }
  }
  EXPECT_THROW(static_cast<void>(pair_distances(sets, {.p = 3})), InvalidArgument);
}

TEST(PairDistances, ComeAsARecordAndAsFilesWithTheirNames) {
  const std::vector<io::PointSet> sets{on_a_line({0}), on_a_line({2})};
  const PairDistances found = pair_distances(sets, {.threads = 1});
  const auto record = pair_record(found, {"a.csv", "b.csv"}, "samples", 1);
  EXPECT_EQ(record.sentence, "W1 between 2 data sets");
  EXPECT_EQ(record.pairs.value().distances,
            (std::vector<std::vector<double>>{{0.0, 2.0}, {2.0, 0.0}}));
  EXPECT_THAT(record::to_json(record, -1), HasSubstr("\"distances\":[[0.0,2.0],[2.0,0.0]]"));
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "d.csv").string();
  write_distances(file, found, {"a.csv", "b.csv"});
  const io::PointSet read = io::load_points(file);
  EXPECT_EQ(read.column_names, (std::vector<std::string>{"a.csv", "b.csv"}));
  EXPECT_EQ(read.values(0, 1), 2.0);
}

TEST(PairDistances, NeedTwoFilesThatAreNotHidden) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "b.csv") << "1\n";
  std::ofstream(folder.path() / ".hidden") << "1\n";
  EXPECT_THROW(static_cast<void>(sample_files(folder.path().string())), IoError);
  std::ofstream(folder.path() / "a.csv") << "1\n";
  const auto files = sample_files(folder.path().string());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(files[0], HasSubstr("a.csv"));
}

TEST(TransportRecord, KeepsPivotsBoundsOverTimeAndTheTimeOfReadingOfAnExactDistance) {
  table::Inputs inputs;
  inputs.x = on_a_line({0, 1, 5});
  inputs.y = on_a_line({2, 3, 4});
  ot::WassersteinOptions options;
  options.p = 2;
  ot::WassersteinResult result;
  result.method = ot::WassersteinMethod::exact;
  result.exact = true;
  result.reason = "small";
  result.transport.termination = ot::Termination::optimal;
  result.transport.pivots = 7;
  result.transport.history = {{0.5, 3, 9.0, 1.0}, {1.0, 7, 4.0, 4.0}};
  const record::RunRecord record =
      distance_record({.inputs = inputs, .x = "x.csv", .y = "y.csv"}, options, result, 0.25);
  const record::TransportSummary& how = record.transport.value();
  EXPECT_EQ(how.p, 2U);
  EXPECT_EQ(how.pivots, 7U);
  EXPECT_EQ(how.load_seconds, 0.25);
  ASSERT_EQ(how.gap_curve.size(), 2U);
  EXPECT_EQ(how.gap_curve[0], (record::BoundsAtTime{0.5, 3, 9.0, 1.0}));
  EXPECT_TRUE(record.extra.empty());
  const std::string text = record::to_json(record, -1);
  EXPECT_THAT(text, HasSubstr("\"p\":2,\"reason\":\"small\",\"exact\":true,"
                              "\"load_seconds\":0.25,\"termination\":\"optimal\",\"pivots\":7,"
                              "\"gap_curve\":[{\"seconds\":0.5,\"pivots\":3,\"primal\":9.0,"
                              "\"dual\":1.0}"));
  EXPECT_EQ(record::from_json(text).transport, record.transport);
}

TEST(TransportRecord, SaysOfAnApproximationHowFarItMayBeOffAndOfNoPivots) {
  table::Inputs inputs;
  inputs.x = on_a_line({0, 1});
  inputs.y = on_a_line({2, 3});
  ot::WassersteinResult result;
  result.method = ot::WassersteinMethod::sinkhorn;
  result.marginal_error = 1e-6;
  const std::string text =
      record::to_json(distance_record({.inputs = inputs}, {}, result, 0.0), -1);
  EXPECT_THAT(text, HasSubstr("\"marginal_error\":1e-06"));
  EXPECT_THAT(text, testing::Not(HasSubstr("pivots")));
}

TEST(TransportRecord, KeepsTheFiguresOfACertificate) {
  table::Inputs inputs;
  inputs.x = on_a_line({0, 1});
  inputs.y = on_a_line({0.25, 1.25});
  const ot::PointProblem problem{{.points = inputs.x.values}, {.points = inputs.y.values}};
  const std::vector<ot::Flow> crossed{{0, 1, 0.5}, {1, 0, 0.5}};
  const record::RunRecord record =
      certificate_record({.inputs = inputs}, {.file = "plan.csv", .entries = 2, .p = 1},
                         ot::certify(problem, crossed));
  const record::CertificateSummary& found = record.certificate.value();
  EXPECT_EQ(found.entries, 2U);
  EXPECT_EQ(found.plan_cost, 1.0);
  EXPECT_EQ(found.upper_bound, 0.25);
  EXPECT_EQ(found.relative_gap, 3.0);
  EXPECT_TRUE(found.feasible);
  EXPECT_EQ(record::from_json(record::to_json(record)), record);
}

TEST(TransportRecord, SaysHowFarAPlanIsFromTheOptimum) {
  const io::PointSet x = on_a_line({0, 1}), y = on_a_line({0, 1});
  const ot::PointProblem problem{{.points = x.values}, {.points = y.values}};
  const std::vector<ot::Flow> straight{{0, 0, 0.5}, {1, 1, 0.5}}, lopsided{{0, 0, 1.0}};
  EXPECT_EQ(certificate_sentence(ot::certify(problem, straight)), "the plan is optimal");
  EXPECT_THAT(certificate_sentence(ot::certify(problem, lopsided)),
              HasSubstr("not a plan between"));
  EXPECT_TRUE(is_final(ot::certify(problem, straight)));
}

TEST(TransportRecord, ShortensTheHeadlineThatIsReadAndNotCopied) {
  ot::WassersteinResult result;
  result.distance = 23.7518460949179;
  EXPECT_EQ(distance_headline(result, 2, Digits::readable), "W2 = 23.7518 (W2^2 = 564.15)");
}

TEST(TransportRecord, GivesAHeadlineThatReadsBackToTheSameNumber) {
  EXPECT_EQ(std::stod(exact_text(0.1 + 0.2)), 0.1 + 0.2);
  ot::WassersteinResult result;
  result.distance = 1.5;
  EXPECT_EQ(distance_headline(result, 2), "W2 = 1.5 (W2^2 = 2.25)");
  result.converged = false;
  EXPECT_THAT(distance_certificate(result, 1), HasSubstr("NOT CONVERGED; W1 lies between"));
}

}  // namespace
}  // namespace nw::app
