#include "nw/app/clustering/find_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

/// Three round clusters of 60, 30 and 10 of a hundred points, with their numbers as labels.
io::PointSet three_clusters(std::size_t rows, double unit = 1.0) {
  constexpr double kCentres[3][2] = {{0.0, 0.0}, {12.0, 0.0}, {0.0, 12.0}};
  Rng rng(7);
  io::PointSet points;
  points.values = Matrix(rows, 2);
  points.labels.emplace();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t j = i % 10 < 6 ? 0 : (i % 10 < 9 ? 1 : 2);
    for (std::size_t c = 0; c < 2; ++c) {
      points.values(i, c) = unit * (kCentres[j][c] + rng.normal());
    }
    points.labels->values.push_back(static_cast<std::int32_t>(j));
  }
  return points;
}

template <typename Exception, typename Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class FindClusters : public testing::TestWithParam<ClusterMethod> {};

TEST_P(FindClusters, FindsUnequalClustersTheLargestFirst) {
  if (GetParam() == ClusterMethod::genie) GTEST_SKIP() << "Genie is there to keep sizes equal";
  const auto points = three_clusters(200);
  const auto result = find_clusters(points, {.k = 3, .method = GetParam()});
  ASSERT_EQ(result.pi.size(), 3U);
  EXPECT_NEAR(result.pi[0], 0.6, 0.02);
  EXPECT_NEAR(result.pi[1], 0.3, 0.02);
  EXPECT_GT(agreement_with_classes(points, result.assignment)->ari, 0.98);
  EXPECT_TRUE(result.converged);
  EXPECT_FALSE(result.learning.has_value());
}

TEST_P(FindClusters, GivesAModelThatAssignsItsOwnRowsAsTheResultDoes) {
  const auto points = three_clusters(200);
  const auto result = find_clusters(points, {.k = 3, .method = GetParam()});
  const auto again = result.model->assign(points.values);
  EXPECT_EQ(again.cluster, result.assignment);
  const auto confidence = again.confidence();
  for (std::size_t i = 0; i < result.confidence.size(); ++i) {
    EXPECT_NEAR(confidence[i], result.confidence[i], 1e-9) << i;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto row = again.membership.row(i);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-12);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), again.cluster[i]);
  }
}

TEST_P(FindClusters, GivesAModelThatSurvivesItsBytes) {
  const auto points = three_clusters(200);
  const auto model = find_clusters(points, {.k = 3, .method = GetParam()}).model;
  const auto restored = cluster_model_from_bytes(model->to_bytes());
  EXPECT_EQ(restored->method(), GetParam());
  EXPECT_EQ(restored->pi(), model->pi());
  EXPECT_EQ(restored->to_bytes(), model->to_bytes());
  const auto fresh = three_clusters(310);
  const auto a = model->assign(fresh.values), b = restored->assign(fresh.values);
  EXPECT_EQ(a.cluster, b.cluster);
  EXPECT_TRUE(std::ranges::equal(a.membership.values(), b.membership.values()));
}

TEST_P(FindClusters, DoesNotDependOnTheUnitOfTheData) {
  const ClusteringOptions options{.k = 3, .method = GetParam()};
  EXPECT_EQ(find_clusters(three_clusters(150), options).assignment,
            find_clusters(three_clusters(150, 1024.0), options).assignment);
}

INSTANTIATE_TEST_SUITE_P(Methods, FindClusters,
                         testing::Values(ClusterMethod::kmeans, ClusterMethod::gmm,
                                         ClusterMethod::equilibrium, ClusterMethod::evidence,
                                         ClusterMethod::genie),
                         [](const auto& method) { return choice_name(method.param); });

TEST(FindClusters, FindsTheNumberOfClustersWithItsCurveAndReportsThatItDoes) {
  std::set<std::string> stages;
  const auto points = three_clusters(200);
  const auto result =
      find_clusters(points, {.method = ClusterMethod::kmeans}, [&](const nw::Progress& at) {
        stages.insert(at.stage);
        return true;
      });
  EXPECT_EQ(result.pi.size(), 3U);
  ASSERT_TRUE(result.choice.has_value());
  EXPECT_GE(result.choice->curve.size(), 3U);
  EXPECT_TRUE(stages.contains("choose-k"));
  EXPECT_TRUE(stages.contains("cluster"));
  const auto record = clustering_record(points, {.method = ClusterMethod::kmeans}, result);
  ASSERT_TRUE(record.mode_choice.has_value());
  EXPECT_EQ(record.mode_choice->k, 3U);
  EXPECT_EQ(record.clustering->pi, result.pi);
}

TEST(FindClusters, StopsWhenTheObserverAsksForIt) {
  const auto result = find_clusters(three_clusters(100), {.k = 3, .method = ClusterMethod::kmeans},
                                    [](const nw::Progress&) { return false; });
  EXPECT_TRUE(result.interrupted);
}

TEST(FindClusters, FollowsNeighboursAndPlacesNewRowsAmongThem) {
  // Two rings, one inside the other: no method that looks at distances to centres divides them.
  const auto rings = [](std::size_t rows, std::uint64_t seed) {
    Rng rng(seed);
    io::PointSet points;
    points.values = Matrix(rows, 2);
    points.labels.emplace();
    for (std::size_t i = 0; i < rows; ++i) {
      const double angle = 6.283185307179586 * rng.uniform(), radius = i % 3 == 0 ? 1.0 : 5.0;
      points.values(i, 0) = radius * std::cos(angle) + 0.1 * rng.normal();
      points.values(i, 1) = radius * std::sin(angle) + 0.1 * rng.normal();
      points.labels->values.push_back(i % 3 == 0 ? 1 : 0);
    }
    return points;
  };
  const auto points = rings(450, 1), fresh = rings(60, 2);
  const auto result = find_clusters(
      points, {.k = 2, .method = ClusterMethod::kmeans, .features = Features::diffusion});
  EXPECT_GT(agreement_with_classes(points, result.assignment)->purity, 0.99);
  const auto restored = cluster_model_from_bytes(result.model->to_bytes());
  EXPECT_EQ(restored->dimension(), 2U);
  const auto placed = restored->assign(fresh.values);
  EXPECT_GT(agreement_with_classes(fresh, placed.cluster)->purity, 0.99);
}

/// Images of 10 x 10 pixels, `first` of a bar that lies and the others of one that stands, each at
/// a place of its own; `noise` is added to every pixel.
io::PointSet bars(std::size_t first, std::size_t rows, double noise, std::uint64_t seed) {
  Rng rng(seed);
  io::PointSet images;
  images.values = Matrix(rows, 100);
  images.image = io::ImageShape{.height = 10, .width = 10, .channels = 1};
  images.labels.emplace();
  for (std::size_t i = 0; i < rows; ++i) {
    const double place = 3.0 + 3.0 * rng.uniform();
    for (std::size_t p = 0; p < 100; ++p) {
      const double off = static_cast<double>(i < first ? p / 10 : p % 10) - place;
      images.values(i, p) = std::exp(-0.5 * off * off) + noise * rng.normal();
    }
    images.labels->values.push_back(i < first ? 0 : 1);
  }
  return images;
}

TEST(FindClusters, PartsImagesByTheirEdgesAndPlacesNewOnesByAModelFromItsBytes) {
  const auto images = bars(300, 360, 0.05, 1), fresh = bars(20, 40, 0.05, 2);
  const auto result = find_clusters(
      images, {.k = 2, .method = ClusterMethod::kmeans, .features = Features::diffusion});
  EXPECT_GT(agreement_with_classes(images, result.assignment)->purity, 0.99);
  EXPECT_THAT(result.warnings, testing::IsEmpty());
  EXPECT_GT(clustering_record(images, {.k = 2}, result).clustering->agreement.value(), 0.9);
  const auto restored = cluster_model_from_bytes(result.model->to_bytes());
  EXPECT_EQ(restored->dimension(), 100U);
  const auto placed = restored->assign(fresh.values);
  EXPECT_GT(agreement_with_classes(fresh, placed.cluster)->purity, 0.97);
}

TEST(FindClusters, WarnsWhereMethodsDisagreeAboutTheClusters) {
  const auto nothing = bars(400, 400, 3.0, 3);
  const auto result = find_clusters(
      nothing, {.k = 3, .method = ClusterMethod::kmeans, .features = Features::diffusion});
  EXPECT_THAT(result.warnings, testing::Contains(HasSubstr("methods disagree")));
}

TEST(FindClusters, RefusesWhatItCannotDoAndNamesIt) {
  const auto points = three_clusters(30);
  const auto refused = [&](const ClusteringOptions& options) {
    return message_of<InvalidArgument>([&] { static_cast<void>(find_clusters(points, options)); });
  };
  EXPECT_THAT(refused({.k = 31}), HasSubstr("only 30 points"));
  EXPECT_THAT(refused({.k = 2, .restarts = 0}), HasSubstr("ClusteringOptions.restarts"));
  EXPECT_THAT(refused({.k = 2, .method = ClusterMethod::nw}), HasSubstr("cluster_points"));
  const auto model = find_clusters(points, {.k = 2}).model;
  EXPECT_THAT(message_of<InvalidArgument>([&] { static_cast<void>(model->assign(Matrix(3, 5))); }),
              HasSubstr("rows of 2 values, got rows of 5"));
  EXPECT_THAT(message_of<IoError>(
                  [] { static_cast<void>(cluster_model_from_bytes("no tensors", "some.file")); }),
              HasSubstr("some.file"));
}

TEST(FindClusters, ReportsWhichCandidateWonAndByHowMuch) {
  const auto points = three_clusters(200);
  const ClusteringOptions options{.k = 3};
  const auto result = find_clusters(points, options);
  ASSERT_TRUE(result.evidence.has_value());
  const auto record = clustering_record(points, options, result);
  const auto& summary = *record.clustering;
  EXPECT_EQ(summary.method, "evidence");
  EXPECT_EQ(summary.winner, summary.candidates.front().name);
  EXPECT_GT(summary.candidates.size(), 5U);
  EXPECT_TRUE(std::ranges::any_of(summary.candidates,
                                  [](const auto& one) { return one.objective.has_value(); }));
  EXPECT_EQ(record::from_json(record::to_json(record)).clustering, record.clustering);
}

TEST(FindClusters, SetsPointsApartThatLieFarFromEveryCluster) {
  auto points = three_clusters(300);
  constexpr double kFar[5][2] = {{9.5, 9.5}, {-9.0, -9.0}, {21.0, 9.0}, {9.0, -10.0}, {-10.0, 5.0}};
  for (std::size_t i = 0; i < 5; ++i) {
    std::ranges::copy(kFar[i], points.values.row(60 * i).begin());
  }
  const auto result =
      find_clusters(points, {.k = 3, .method = ClusterMethod::kmeans, .noise = true});
  ASSERT_EQ(result.noise.size(), 300U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(result.noise[60 * i]) << i;
  EXPECT_LT(std::ranges::count(result.noise, true), 14);
  EXPECT_NEAR(*clustering_record(points, {.k = 3}, result).clustering->noise,
              static_cast<double>(std::ranges::count(result.noise, true)) / 300.0, 1e-12);
}

TEST(ChooseMethod, LearnsWhereAnyOptionOfLearningIsGiven) {
  const auto points = three_clusters(60);
  int fields = 0;
  ClusteringOptions().for_each_learning_field([&](const OptionField&, const auto&) { ++fields; });
  for (int asked = 0; asked < fields; ++asked) {
    ClusteringOptions options;
    int at = 0;
    options.for_each_learning_field([&](const OptionField&, auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      if (at++ != asked) return;
      if constexpr (std::is_enum_v<Value>) {
        value = choices(value).back().value;
      } else {
        value.emplace(1);
      }
    });
    EXPECT_TRUE(options.asks_to_learn()) << asked;
    EXPECT_EQ(choose_method(points, options, true), ClusterMethod::nw) << asked;
    EXPECT_EQ(choose_method(points, options, false), ClusterMethod::evidence) << asked;
  }
  EXPECT_FALSE(ClusteringOptions().asks_to_learn());
}

TEST(ChooseMethod, LearnsFromFiveHundredImagesOnAndLetsMethodsCompeteOtherwise) {
  auto points = three_clusters(500);
  EXPECT_EQ(choose_method(points, {}, true), ClusterMethod::evidence);
  EXPECT_EQ(choose_method(points, {}, false), ClusterMethod::evidence);
  EXPECT_EQ(choose_method(points, {.features = Features::diffusion}, true), ClusterMethod::kmeans);
  points.weights.assign(500, 1.0);
  EXPECT_EQ(choose_method(points, {}, true), ClusterMethod::kmeans);
  points.weights.clear();
  points.image = io::ImageShape{.height = 1, .width = 2, .channels = 1};
  EXPECT_EQ(choose_method(points, {}, true), ClusterMethod::nw);
  EXPECT_EQ(choose_method(points, {}, false), ClusterMethod::kmeans);
}

}  // namespace
}  // namespace nw::app
