// Denoising in memory, on a table of two kinds of rows in other proportions.
#include "nw/app/denoising/denoising.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

io::PointSet two_kinds(double share, double noise, std::uint64_t seed) {
  Rng rng(seed);
  io::PointSet points;
  points.values = Matrix(120, 4);
  points.source = "two kinds";
  for (std::size_t i = 0; i < 120; ++i) {
    const double centre = static_cast<double>(i) < 120.0 * share ? 2.0 : -2.0;
    for (double& value : points.values.row(i)) value = centre + 0.1 * rng.normal();
  }
  for (std::size_t i = 0; i < 120; ++i) {
    for (double& value : points.values.row(i)) value += noise * rng.normal();
  }
  return points;
}

DenoisingData data() {
  DenoisingData result{.source = two_kinds(0.8, 0.0, 1), .target = two_kinds(0.3, 0.5, 2)};
  result.clean_target = two_kinds(0.3, 0.0, 2);
  return result;
}

DenoisingOptions quick(std::int64_t steps) {
  return {.steps = steps, .batch = 32, .device = "cpu", .threads = 1};
}

TEST(TrainDenoiser, TakesAThirdOfTheNoiseOff) {
  const auto result = train_denoiser(data(), quick(300));
  ASSERT_TRUE(result.finished);
  const auto& figures = result.record.denoising.value();
  constexpr double kNoiseVariance = 0.25;
  EXPECT_LT(figures.err_recons_target.value(), 2.0 / 3.0 * kNoiseVariance);
  EXPECT_EQ(figures.pi_target.size(), 2u);
  EXPECT_NEAR(figures.residual_variance, removed_variance(data().target.values, result.denoised),
              1e-12);
}

TEST(DenoisePoints, DoesWhatTheModelDoesAndRefusesRowsOfAnotherLength) {
  const auto result = train_denoiser(data(), quick(20));
  const auto noisy = two_kinds(0.5, 0.5, 3);
  const DenoisedRows found = denoise_points(result.model, noisy);
  EXPECT_TRUE(std::ranges::equal(found.rows.values(), result.model.denoise(noisy.values).values()));
  EXPECT_EQ(found.removed_variance, removed_variance(noisy.values, found.rows));
  io::PointSet wide;
  wide.source = "wide.csv";
  wide.values = Matrix(3, 5);
  try {
    (void)denoise_points(result.model, wide);
    FAIL() << "rows of five values were taken";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("wide.csv has rows of 5 values, the model has learnt rows of 4"));
  }
}

TEST(TrainDenoiser, SeesNoCleanTargetRowsUnlessItIsTheOracle) {
  auto blind = data();
  blind.clean_target.reset();
  const auto one = train_denoiser(data(), quick(20)), two = train_denoiser(blind, quick(20));
  EXPECT_TRUE(std::ranges::equal(one.denoised.values(), two.denoised.values()));
  EXPECT_FALSE(two.record.denoising->err_recons_target.has_value());
  auto oracle = quick(20);
  oracle.method = adapt::DenoiseMethod::oracle;
  try {
    (void)train_denoiser(blind, oracle);
    FAIL() << "nothing was thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("clean_target is missing"));
  }
}

TEST(TrainDenoiser, StopsWhenTheObserverSaysSo) {
  const auto result =
      train_denoiser(data(), quick(400), [](const Progress& at) { return at.step < 10; });
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.record.denoising->end, "interrupted");
}

TEST(TrainDenoiser, RefusesOptionsOutOfRangeByTheirNames) {
  try {
    (void)train_denoiser(data(), {.components = 0});
    FAIL() << "nothing was thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "DenoisingOptions.k must be at least 1, got 0");
  }
}

TEST(Denoiser, DenoisesTheSameAfterAWayThroughBytesAndARun) {
  const auto folder = std::filesystem::temp_directory_path() / "nw_denoising_test";
  std::filesystem::remove_all(folder);
  auto options = quick(20);
  options.run.path = folder;
  const auto result = train_denoiser(data(), options);
  const auto more = two_kinds(0.5, 0.5, 3);
  const auto expected = result.model.denoise(more.values);
  for (const auto& model :
       {Denoiser::from_bytes(result.model.to_bytes()), Denoiser::load(folder)}) {
    EXPECT_TRUE(std::ranges::equal(model.denoise(more.values).values(), expected.values()));
    EXPECT_EQ(model.step(), 20);
    EXPECT_EQ(model.dimension(), 4u);
  }
  // A run that is not finished has a checkpoint and its configuration.
  std::filesystem::remove(run::model_file(folder));
  EXPECT_TRUE(
      std::ranges::equal(Denoiser::load(folder).denoise(more.values).values(), expected.values()));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace nw::app
