#include "nw/app/generation/train_generator.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

/// Two round clusters of which the second holds `share` of the rows.
io::PointSet two_clusters(std::size_t rows, double share) {
  Rng rng(5);
  io::PointSet points;
  points.values = Matrix(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool second = static_cast<double>(i % 10) < 10.0 * share;
    points.values(i, 0) = (second ? 8.0 : 0.0) + rng.normal();
    points.values(i, 1) = rng.normal();
  }
  return points;
}

GenerationOptions quick_options() {
  return {.k = 2, .steps = 40, .batch = 64, .threads = 1};
}

TEST(TrainGenerator, LearnsAMixtureNearTheDataAndDrawsTheSameRowsFromOneSeed) {
  const auto points = two_clusters(300, 0.3);
  const auto [result, record, finished_before] = train_generator({.x = points}, quick_options());
  EXPECT_TRUE(result.finished());
  EXPECT_EQ(result.steps, 40);
  EXPECT_LT(result.total_distance(), 3.0);  // the clusters lie 8 apart
  EXPECT_EQ(record.generation->pi, result.pi);
  EXPECT_FALSE(record.series.empty());
  const auto rows = result.model->sample(50, {.seed = 3, .threads = 1});
  EXPECT_EQ(rows.rows.rows(), 50U);
  EXPECT_EQ(rows.rows.cols(), 2U);
  EXPECT_TRUE(std::ranges::equal(
      rows.rows.values(), result.model->sample(50, {.seed = 3, .threads = 1}).rows.values()));
  const auto restored = generation_model_from_bytes(result.model->to_bytes());
  EXPECT_EQ(restored->step(), 40);
  EXPECT_EQ(restored->pi(), result.pi);
  EXPECT_TRUE(std::ranges::equal(rows.rows.values(),
                                 restored->sample(50, {.seed = 3, .threads = 1}).rows.values()));
}

TEST(TrainGenerator, SharesComponentsBetweenTwoDataSets) {
  const auto x = two_clusters(200, 0.2), y = two_clusters(200, 0.8);
  const auto [result, record, finished_before] =
      train_generator({.x = x, .y = &y}, quick_options());
  ASSERT_EQ(result.pi.size(), 2U);
  EXPECT_EQ(result.model->pi().size(), 2U);
  EXPECT_EQ(result.generated.size(), 2U);
  EXPECT_DOUBLE_EQ(record.generation->total_distance(), result.total_distance());
  const auto of_y = result.model->sample(20, {.data_set = 1, .threads = 1});
  EXPECT_EQ(of_y.component_of.size(), 20U);
}

TEST(TrainGenerator, KeepsARunThatIsReadBack) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "train_generator_run";
  std::filesystem::remove_all(folder);
  const auto points = two_clusters(150, 0.3);
  GenerationRun run{.folder = {.path = folder}};
  const auto first = train_generator({.x = points}, quick_options(), {}, run);
  const auto model = load_generation_model(folder);
  EXPECT_EQ(model->pi(), first.result.pi);
  EXPECT_TRUE(std::ranges::equal(model->sample(9, {.threads = 1}).rows.values(),
                                 first.result.model->sample(9, {.threads = 1}).rows.values()));
  run.folder.mode = run::StartMode::resume;
  const auto second = train_generator({.x = points}, quick_options(), {}, run);
  EXPECT_TRUE(second.finished_before);
  EXPECT_EQ(second.record.generation, first.record.generation);
  std::filesystem::remove_all(folder);
}

TEST(TrainGenerator, StopsWhenTheObserverAsksForItAndReportsWhatItHas) {
  const auto points = two_clusters(150, 0.3);
  const auto [result, record, finished_before] = train_generator(
      {.x = points}, quick_options(), [](const nw::Progress& at) { return at.step < 5; });
  EXPECT_EQ(result.end, "interrupted");
  EXPECT_LT(result.steps, 40);
  EXPECT_FALSE(record.converged);
  EXPECT_NE(result.model, nullptr);
}

TEST(TrainGenerator, RefusesWhatItCannotDoAndNamesIt) {
  const auto points = two_clusters(50, 0.3);
  const auto refused = [&](const GenerationData& data, const GenerationOptions& options) {
    try {
      static_cast<void>(train_generator(data, options));
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_THAT(refused({.x = points}, {.k = 0}), HasSubstr("k"));
  EXPECT_THAT(refused({.x = points}, {.k = 2, .steps = 0}), HasSubstr("GenerationOptions.steps"));
  EXPECT_THAT(refused({.x = points}, {.k = 2, .rate = 0.0}), HasSubstr("greater than 0"));
  EXPECT_THAT(refused({.x = points, .y = &points}, {.method = gan::GanMethod::wgan}),
              HasSubstr("nwgan only"));
}

}  // namespace
}  // namespace nw::app
