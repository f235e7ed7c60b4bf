#include "nw/app/clustering/cluster.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/app/clustering/assign_points.hpp"
#include "nw/base/error.hpp"

#include "table/table_test_support.hpp"

namespace nw::app {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

/// Three quarters of the people are around 25 years, the others around 60.
table::Inputs people(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::string text = "age,income\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_young = i % 4 != 0;
    text += concat((is_young ? 25.0 : 60.0) + 3.0 * rng.normal(), ',',
                   (is_young ? 20000.0 : 45000.0) + 2000.0 * rng.normal(), '\n');
  }
  return table::test::encode(text);
}

constexpr auto kQuick = ClusterMethod::kmeans;

TEST(ClusterWithoutLearning, FindsWhatFindClustersFindsAndLeavesItsRecord) {
  const table::Inputs data = people(200, 1);
  const ClusteringOptions options{.k = 2, .method = kQuick};
  const Clustering found = cluster_without_learning(data.x, options, {}, {.data = "people.csv"});
  EXPECT_EQ(found.result.assignment, find_clusters(data.x, options).assignment);
  EXPECT_NO_THROW(found.record.validate());
  EXPECT_EQ(found.record.clustering.value().pi, found.result.pi);
  EXPECT_EQ(found.record.data.at(0).path, "people.csv");
  EXPECT_GT(found.record.seconds, 0.0);
  EXPECT_FALSE(found.record.figure.has_value());
}

TEST(ClusterWithoutLearning, LeavesNoRecordWhereItWasStoppedBeforeThereWereClusters) {
  const Clustering found = cluster_without_learning(people(80, 1).x, {.method = kQuick},
                                                    [](const Progress&) { return false; });
  EXPECT_TRUE(found.result.pi.empty());
  EXPECT_FALSE(found.record.clustering.has_value());
}

TEST(CompleteClustering, SaysWhereClustersLieInTheUnitsOfTheColumns) {
  const table::Inputs data = people(200, 1);
  const ClusteringOptions options{.k = 2, .method = kQuick};
  Clustering found = cluster_without_learning(data.x, options);
  complete_clustering(data, options, {.figure = true}, found);
  const record::RunRecord& record = found.record;
  EXPECT_THAT(record.clustering->centres.at(0),
              ElementsAre(DoubleNear(25.0, 1.5), DoubleNear(20000.0, 1500.0)));
  EXPECT_THAT(record.details, Contains(HasSubstr("Cluster 1 (75 %)")));
  EXPECT_EQ(record.columns.size(), 2U);
  EXPECT_EQ(record.figure.value().ellipses.size(), 2U);
}

TEST(CompleteClustering, WritesTheHierarchyWhereItIsAskedFor) {
  const table::Inputs data = people(40, 1);
  const ClusteringOptions options{.k = 2, .method = kQuick};
  Clustering found = cluster_without_learning(data.x, options);
  const auto file = std::filesystem::path(testing::TempDir()) / "nw_cluster_test_tree.csv";
  complete_clustering(data, options, {.tree = file.string()}, found);
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_FALSE(found.record.figure.has_value());
  std::filesystem::remove(file);
}

TEST(AssignPoints, CountsTheSharesOfNewPointsInClustersOfOld) {
  const table::Inputs data = people(200, 1);
  const auto model = find_clusters(data.x, {.k = 2, .method = kQuick}).model;
  io::PointSet fresh = data.x;
  fresh.values = Matrix(4, 2);  // three like the older people, one like the young
  for (std::size_t i = 0; i < 4; ++i) {
    std::ranges::copy(data.x.values.row(i == 0 ? 1 : 4 * i), fresh.values.row(i).begin());
  }
  fresh.labels = io::Labels{.values = {0, 1, 1, 1}, .names = {}};
  const AssignedPoints assigned = assign_points(*model, fresh);
  EXPECT_THAT(assigned.assignment.cluster, ElementsAre(0U, 1U, 1U, 1U));
  EXPECT_THAT(assigned.shares, ElementsAre(0.25, 0.75));
  EXPECT_EQ(assigned.agreement.value().ari, 1.0);
  EXPECT_THAT(assignment_fields(*model, assigned),
              testing::AllOf(HasSubstr("\"rows\":4"), HasSubstr("\"shares\":[0.25,0.75]"),
                             HasSubstr("\"ari\":1.0")));
}

TEST(AssignPoints, RefusesRowsOfAnotherLengthAndSaysWhichPoints) {
  const auto model = find_clusters(people(80, 1).x, {.k = 2, .method = kQuick}).model;
  io::PointSet wide;
  wide.source = "wide.csv";
  wide.values = Matrix(3, 5);
  try {
    static_cast<void>(assign_points(*model, wide));
    FAIL() << "rows of five values were taken";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("wide.csv: rows of 5 values, the run knows rows of 2"));
  }
}

}  // namespace
}  // namespace nw::app
