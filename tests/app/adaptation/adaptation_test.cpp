// Adaptation in memory, on three classes in the plane whose target is moved and has them in other
// proportions.
#include "nw/app/adaptation/adaptation.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

io::PointSet triangle(const std::vector<double>& pi, double shift, std::uint64_t seed,
                      std::size_t rows = 300) {
  constexpr double kCentres[3][2] = {{0.0, 0.0}, {4.0, 0.0}, {2.0, 3.5}};
  Rng rng(seed);
  io::PointSet points;
  points.values = Matrix(rows, 2);
  points.labels.emplace();
  points.labels->names = {"a", "b", "c"};
  points.source = "triangle";
  for (std::size_t i = 0; i < rows; ++i) {
    const auto j = rng.categorical(pi);
    points.labels->values.push_back(static_cast<std::int32_t>(j));
    points.values(i, 0) = kCentres[j][0] + shift + 0.5 * rng.normal();
    points.values(i, 1) = kCentres[j][1] + 0.5 * rng.normal();
  }
  return points;
}

AdaptationData domains() {
  return {.source = triangle({0.6, 0.3, 0.1}, 0.0, 1), .target = triangle({0.1, 0.3, 0.6}, 1.0, 2)};
}

AdaptationOptions quick(std::int64_t steps = 30) {
  return {.steps = steps, .device = "cpu", .threads = 1};
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

TEST(AdaptClassifier, FindsClassesAndProportionsOfTheTarget) {
  const auto result = adapt_classifier(domains(), quick(500));
  ASSERT_TRUE(result.finished);
  const auto& figures = result.record.adaptation.value();
  EXPECT_EQ(figures.classes, (std::vector<std::string>{"a", "b", "c"}));
  ASSERT_TRUE(figures.scores.has_value());
  EXPECT_GT(figures.scores->accuracy, 0.9);
  EXPECT_LT(figures.pi_error.value(), 0.08);
  EXPECT_EQ(result.target.probability.rows(), 300u);
}

TEST(AdaptClassifier, JudgesByAClassifierWithoutAdaptationUnlessAMethodIsNamed) {
  const auto result = adapt_classifier(domains(), quick(300));
  ASSERT_TRUE(result.finished);
  const auto& judged = result.record.adaptation->safeguard;
  ASSERT_TRUE(judged.has_value());
  EXPECT_EQ(judged->chosen, result.record.adaptation->method);
  EXPECT_GE(judged->best_names, judged->same_names - 1e-12);
  EXPECT_EQ(judged->pi_unadapted.size(), 3U);
  auto named = quick(30);
  named.method = adapt::AdaptMethod::nw;
  EXPECT_FALSE(adapt_classifier(domains(), named).record.adaptation->safeguard.has_value());
}

TEST(AdaptClassifier, GivesTheSameNumbersTwiceAndWithoutLabelsOfTheTarget) {
  auto blind = domains();
  blind.target.labels.reset();
  const auto one = adapt_classifier(domains(), quick()), two = adapt_classifier(blind, quick());
  EXPECT_EQ(one.record.adaptation->pi_target, two.record.adaptation->pi_target);
  EXPECT_TRUE(std::ranges::equal(one.target.probability.values(), two.target.probability.values()));
  EXPECT_FALSE(two.record.adaptation->scores.has_value());
}

TEST(AdaptClassifier, StopsWhenTheObserverSaysSo) {
  std::int64_t heard = 0;
  const auto result = adapt_classifier(domains(), quick(200), [&](const Progress& at) {
    EXPECT_EQ(at.stage, "nw");
    EXPECT_EQ(at.pi.size(), 3u);
    heard = at.step;
    return at.step < 10;
  });
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.record.adaptation->end, "interrupted");
  EXPECT_EQ(result.model.step(), heard);
  EXPECT_LT(heard, 200);
}

TEST(AdaptClassifier, RefusesDataThatDoNotFitAndNamesWhatIsMissing) {
  auto data = domains();
  data.source.labels.reset();
  EXPECT_THAT(message_of<IoError>([&] { (void)adapt_classifier(data, quick()); }),
              HasSubstr("has no labels"));
  data = domains();
  data.source.labels->values.pop_back();
  EXPECT_THAT(message_of<IoError>([&] { (void)adapt_classifier(data, quick()); }),
              HasSubstr("300 rows and 299 labels"));
  EXPECT_THAT(message_of<InvalidArgument>([] { (void)adapt_classifier(domains(), {.steps = 0}); }),
              HasSubstr("AdaptationOptions.steps must be at least 1, got 0"));
  const auto set = [](const char* text) {
    return message_of<InvalidArgument>(
        [&] { (void)adapt_classifier(domains(), {.settings = {text}}); });
  };
  EXPECT_THAT(set("critic-steps=0"), HasSubstr("critic_steps must be at least 1, got 0"));
  EXPECT_THAT(set("jitter=1"), HasSubstr("jitter must be at least 0 and less than 1, got 1"));
  EXPECT_THAT(set("speed=1"), HasSubstr("known are steps"));
  EXPECT_THAT(set("self-weight=1"), HasSubstr("needs two views of every image"));
  EXPECT_THAT(set("side=9"), HasSubstr("only a network that is fine-tuned has one"));
}

TEST(AdaptClassifier, EverySettingThatItListsCanBeSet) {
  for (const auto& setting : adaptation_settings()) {
    // A table has neither pixels nor views of them.
    if (setting.name == "side" || setting.name.starts_with("backbone")) continue;
    if (setting.name == "self-weight") continue;
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    auto options = quick(2);
    const bool shape = setting.name.ends_with("hidden");
    options.settings = {setting.name +
                        (shape ? "=8x4"
                         : setting.name.ends_with("beta1") || setting.name.ends_with("dropout") ||
                                 setting.name == "jitter" || setting.name == "averaging"
                             ? "=0.5"
                             : "=1")};
    EXPECT_NO_THROW((void)adapt_classifier(domains(), options)) << setting.name;
  }
}

TEST(AdaptedClassifier, PredictsTheSameAfterAWayThroughBytesAndARun) {
  const auto folder = std::filesystem::temp_directory_path() / "nw_adaptation_test";
  std::filesystem::remove_all(folder);
  auto options = quick();
  options.run.path = folder;
  const auto result = adapt_classifier(domains(), options);
  const auto rows = triangle({0.2, 0.2, 0.6}, 1.0, 3, 40);
  const auto expected = result.model.predict(rows);
  const auto copy = AdaptedClassifier::from_bytes(result.model.to_bytes());
  const auto loaded = AdaptedClassifier::load(folder);
  for (const auto& model : {copy, loaded}) {
    EXPECT_EQ(model.predict(rows.values).predicted, expected.predicted);
    EXPECT_EQ(model.prior(), result.model.prior());
    EXPECT_EQ(model.classes(), result.model.classes());
    EXPECT_EQ(model.step(), 30);
  }
  const auto again = adapt_classifier(
      domains(),
      {.steps = 30, .device = "cpu", .run = {.path = folder, .mode = run::StartMode::resume}});
  EXPECT_TRUE(again.repeated);
  EXPECT_EQ(again.target.predicted, result.target.predicted);
  EXPECT_EQ(again.record.adaptation, result.record.adaptation);
  std::filesystem::remove_all(folder);
  const std::vector<std::byte> nothing(16);
  EXPECT_THROW((void)AdaptedClassifier::from_bytes(nothing, "nothing"), IoError);
}

TEST(PredictTogether, FindsTheProportionsThatAdaptationFoundUnderBothRecipes) {
  for (const auto recipe : {adapt::Recipe::best, adapt::Recipe::paper}) {
    auto options = quick();
    options.recipe = recipe;
    options.method = adapt::AdaptMethod::dann;
    const auto data = domains();
    const auto result = adapt_classifier(data, options);
    const auto found = predict_together({{result.model}}, data.target, "cpu");
    const auto& likely = result.record.adaptation->pi_target_likely;
    for (std::size_t j = 0; j < likely.size(); ++j) {
      EXPECT_NEAR(found.pi_likely[j], likely[j], 1e-9) << to_string(recipe);
    }
    EXPECT_EQ(found.mean.predicted, result.target.predicted);
    EXPECT_EQ(found.scores, result.record.adaptation->scores);
  }
}

}  // namespace
}  // namespace nw::app
