// Plans as files, distances between several data sets, and certificates in words.
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/app/transport/coupling_file.hpp"
#include "nw/app/transport/pair_distances.hpp"

#include "app/transport/transport_record.hpp"
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
  EXPECT_THAT(record.extra, HasSubstr("\"distances\":[[0.0,2.0],[2.0,0.0]]"));
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
