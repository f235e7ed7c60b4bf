#include "nw/app/clustering/adversarial/cluster_points.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

/// Two round clusters, three to one.
io::PointSet two_clusters(std::size_t rows) {
  Rng rng(11);
  io::PointSet points;
  points.values = Matrix(rows, 2);
  points.labels.emplace();
  for (std::size_t i = 0; i < rows; ++i) {
    const bool small = i % 4 == 3;
    points.values(i, 0) = (small ? 9.0 : 0.0) + rng.normal();
    points.values(i, 1) = rng.normal();
    points.labels->values.push_back(small ? 1 : 0);
  }
  return points;
}

ClusteringOptions quick_options(std::size_t k) {
  return {.k = k, .method = ClusterMethod::nw, .threads = 1, .steps = 30, .batch = 64, .moves = 2};
}

/// A folder of this test alone, gone when it is over.
class Folder {
 public:
  explicit Folder(const char* name) : path_(std::filesystem::path(testing::TempDir()) / name) {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(ClusterPoints, LearnsUnequalSharesAndAModelThatAssignsItsOwnRowsAlike) {
  const auto points = two_clusters(240);
  const auto [result, record, finished_before] = cluster_points(points, quick_options(2));
  ASSERT_EQ(result.pi.size(), 2U);
  EXPECT_NEAR(result.pi[0], 0.75, 0.05);
  EXPECT_GT(agreement_with_classes(points, result.assignment)->ari, 0.95);
  EXPECT_EQ(record.clustering->training->starts.size(), 2U);  // one start, and what moves made
  EXPECT_FALSE(finished_before);
  const auto again = result.model->assign(points.values, {.threads = 1});
  EXPECT_EQ(again.cluster, result.assignment);
  EXPECT_EQ(again.confidence(), result.confidence);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto row = again.membership.row(i);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-12);
  }
  const auto restored = any_cluster_model_from_bytes(result.model->to_bytes());
  EXPECT_EQ(restored->pi(), result.pi);
  EXPECT_EQ(restored->assign(points.values, {.threads = 1}).cluster, result.assignment);
}

TEST(ClusterPoints, FindsTheNumberOfClustersWithItsCurveAndReportsThatItDoes) {
  std::set<std::string> stages;
  const auto [result, record, finished_before] =
      cluster_points(two_clusters(160), quick_options(0), [&](const nw::Progress& at) {
        stages.insert(at.stage);
        return true;
      });
  EXPECT_EQ(result.pi.size(), 2U);
  ASSERT_TRUE(result.choice.has_value());
  ASSERT_TRUE(record.mode_choice.has_value());
  EXPECT_GE(record.mode_choice->curve.size(), 2U);
  EXPECT_TRUE(stages.contains("choose-k"));
  EXPECT_TRUE(stages.contains("start 1"));
}

TEST(ClusterPoints, KeepsARunWhoseModelIsReadFromItsOwnFile) {
  const Folder folder("cluster_points_run");
  const auto points = two_clusters(120);
  ClusteringRun run{.folder = {.path = folder.path()}};
  const auto first = cluster_points(points, quick_options(2), {}, run);
  const auto model = load_cluster_model(folder.path());
  EXPECT_EQ(model->assign(points.values, {.threads = 1}).cluster, first.result.assignment);
  run.folder.mode = run::StartMode::resume;
  const auto second = cluster_points(points, quick_options(2), {}, run);
  EXPECT_TRUE(second.finished_before);
  EXPECT_EQ(second.result.pi, first.result.pi);
  EXPECT_EQ(second.record.clustering, first.record.clustering);
  // The report of the run is for people; the model does not need it.
  std::filesystem::remove(folder.path() / "result.json");
  EXPECT_EQ(load_cluster_model(folder.path())->pi(), first.result.pi);
}

TEST(ClusterPoints, StopsWhenTheObserverAsksForItAndHasNoModelThen) {
  const auto [result, record, finished_before] = cluster_points(
      two_clusters(120), quick_options(2), [](const nw::Progress&) { return false; });
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.model, nullptr);
}

TEST(ClusterPoints, RefusesWhatItCannotDoAndNamesIt) {
  const auto refused = [](const io::PointSet& points, const ClusteringOptions& options,
                          const ClusteringRun& run = {}) -> std::string {
    try {
      static_cast<void>(cluster_points(points, options, {}, run));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  auto points = two_clusters(20);
  EXPECT_THAT(refused(points, quick_options(21)), HasSubstr("only 20 points"));
  EXPECT_THAT(refused(points, {.k = 2, .method = ClusterMethod::gmm}, {.folder = {.path = "run"}}),
              HasSubstr("method nw, not to gmm"));
  auto images = quick_options(2);
  images.rule = ClusterRule::recognised;
  EXPECT_THAT(refused(points, images), HasSubstr("features none"));
  points.weights.assign(20, 1.0);
  EXPECT_THAT(refused(points, quick_options(2)), HasSubstr("weights"));
}

}  // namespace
}  // namespace nw::app
