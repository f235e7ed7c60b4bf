// Adaptation on Gaussians whose truth is known: three classes in the plane whose target is moved
// and has them in other proportions.
#include "nw/adapt/adapt_game.hpp"

#include <numeric>

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include "nw/adapt/label_shift.hpp"
#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/train/training_loop.hpp"

#include "nn/named_tensors.hpp"

namespace nw::adapt {
namespace {

struct Toy {
  AdaptData data;
  InputForm form;
  std::vector<std::int64_t> target_class;
};

/// Rows of classes at the corners of a triangle, all moved by `shift` along the first axis.
io::PointSet triangle(const std::vector<double>& pi, std::size_t rows, double shift, Rng rng,
                      std::vector<std::int64_t>& class_of) {
  constexpr double kCentres[3][2] = {{0.0, 0.0}, {4.0, 0.0}, {2.0, 3.5}};
  io::PointSet points;
  points.values = Matrix(rows, 2);
  points.source = "toy";
  for (std::size_t i = 0; i < rows; ++i) {
    const auto j = rng.categorical(pi);
    class_of.push_back(static_cast<std::int64_t>(j));
    points.values(i, 0) = kCentres[j][0] + shift + 0.5 * rng.normal();
    points.values(i, 1) = kCentres[j][1] + 0.5 * rng.normal();
  }
  return points;
}

Toy make_toy(const std::vector<double>& source_pi, const std::vector<double>& target_pi,
             double shift = 1.2, std::size_t rows = 1500) {
  Toy toy;
  const auto source = triangle(source_pi, rows, 0.0, Rng(1), toy.data.class_of);
  const auto target = triangle(target_pi, rows, shift, Rng(2), toy.target_class);
  toy.form = fit_form(source, target);
  toy.data.source = rows_of(source, toy.form);
  toy.data.target = rows_of(target, toy.form);
  toy.data.split = hold_out(toy.data.class_of, 3, 0.1, Rng(3));
  return toy;
}

AdaptOptions quick(const Toy& toy, AdaptMethod method, std::int64_t steps = 600) {
  auto options = recipe_options(Recipe::best, method, {3, toy.form, toy.data.target.size()});
  options.steps = steps;
  options.warm_up = 100;
  options.ramp = 100;
  options.pi_hold = 50;
  options.feature_optimizer.learning_rate = options.classifier_optimizer.learning_rate = 5e-4;
  options.averaging = 0.98;
  options.pi_optimizer.learning_rate = 4e-3;
  options.weight_every = 25;
  options.class_batch = 32;
  options.target_batch = 96;
  return options;
}

struct Played {
  std::unique_ptr<AdaptGame> game;
  Scores scores;
};

Played play(const Toy& toy, const AdaptOptions& options, std::uint64_t seed = 1) {
  Played played;
  played.game = std::make_unique<AdaptGame>(options, toy.data, Rng(seed), torch::kCPU);
  for (std::int64_t step = 0; step < options.steps; ++step) {
    played.game->step(step, options.steps, 1.0);
  }
  played.scores = score(toy.target_class, played.game->predict_target().predicted, 3);
  return played;
}

const std::vector<double> kSource{0.6, 0.3, 0.1}, kTarget{0.1, 0.3, 0.6};

TEST(AdaptGame, FindsTheTargetsProportionsAndClasses) {
  const Toy toy = make_toy(kSource, kTarget);
  const auto played = play(toy, quick(toy, AdaptMethod::nw));
  const auto pi = played.game->proportions()[0];
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(pi[j], kTarget[j], 0.1) << j;
  EXPECT_GT(played.scores.mean_class_accuracy, 0.9);
  EXPECT_GT(played.game->source_accuracy(), 0.97);
}

TEST(AdaptGame, PlainWassersteinPaysForProportionsThatDiffer) {
  const Toy toy = make_toy(kSource, kTarget);
  const auto plain = play(toy, quick(toy, AdaptMethod::wasserstein));
  const auto normalised = play(toy, quick(toy, AdaptMethod::nw));
  EXPECT_LT(plain.scores.mean_class_accuracy, normalised.scores.mean_class_accuracy - 0.1);
}

TEST(AdaptGame, PlansUnderTheSourcesProportionsSufficeWhereTheyAreTheTargets) {
  const Toy toy = make_toy(kSource, kSource);
  for (const auto recipe : {Recipe::best, Recipe::paper}) {
    auto options = recipe_options(recipe, AdaptMethod::deepjdot, {3, toy.form, 1500});
    options.steps = 200;
    options.warm_up = options.ramp = 50;
    options.class_batch = options.target_batch = 48;
    const auto played = play(toy, options);
    EXPECT_GT(played.game->source_accuracy(), 0.9) << to_string(recipe);
    EXPECT_GT(played.scores.mean_class_accuracy, 0.9) << to_string(recipe);
    EXPECT_EQ(played.game->proportions()[0], played.game->source_proportions());
  }
}

TEST(AdaptGame, PlansUnderLearntProportionsFindThemWhereThoseOfTheSourceAreWrong) {
  const Toy toy = make_toy(kSource, kTarget);
  const auto plain = play(toy, quick(toy, AdaptMethod::deepjdot, 400));
  const auto weighted = play(toy, quick(toy, AdaptMethod::deepjdot_pi, 400));
  const auto pi = weighted.game->proportions()[0];
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(pi[j], kTarget[j], 0.1) << j;
  EXPECT_GT(weighted.scores.mean_class_accuracy, 0.9);
  EXPECT_LT(plain.scores.mean_class_accuracy, weighted.scores.mean_class_accuracy - 0.1);
}

TEST(AdaptGame, SendsTheShareOfAClassThatTheTargetLacksToZero) {
  const Toy toy = make_toy(kSource, {0.5, 0.5, 0.0});
  const auto played = play(toy, quick(toy, AdaptMethod::nw));
  EXPECT_LT(played.game->proportions()[0][2], 0.03);
  EXPECT_GT(played.scores.mean_class_accuracy, 0.95);
}

TEST(AdaptGame, WeightsByConfusionsFindProportionsWhereNothingElseMoved) {
  const Toy toy = make_toy(kSource, kTarget, /*shift=*/0.0);
  for (const auto method : {AdaptMethod::bbse, AdaptMethod::iwdan}) {
    const auto played = play(toy, quick(toy, method));
    const auto q = played.game->proportions()[0];
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(q[j], kTarget[j], 0.05) << to_string(method);
    EXPECT_GT(played.scores.accuracy, 0.95) << to_string(method);
  }
}

TEST(AdaptGame, EveryMethodLearnsTheSourceUnderBothRecipes) {
  const Toy toy = make_toy(kSource, kTarget);
  for (const auto method :
       {AdaptMethod::source_only, AdaptMethod::dann, AdaptMethod::wasserstein, AdaptMethod::nw,
        AdaptMethod::iwdan, AdaptMethod::sdann, AdaptMethod::bbse}) {
    auto options = recipe_options(Recipe::paper, method, {3, toy.form, 1500});
    options.steps = 300;
    EXPECT_GT(play(toy, options).game->source_accuracy(), 0.9) << to_string(method);
    options = quick(toy, method, 200);
    EXPECT_GT(play(toy, options).game->source_accuracy(), 0.9) << to_string(method);
  }
}

void expect_to_go_on(const AdaptOptions& options, const AdaptData& data) {
  AdaptGame whole(options, data, Rng(1), torch::kCPU);
  AdaptGame resumed(options, data, Rng(1), torch::kCPU);
  const std::int64_t cut = options.steps / 2;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    if (step == cut) {
      const auto from = whole.state(), to = resumed.state();
      const torch::NoGradGuard no_grad;
      for (std::size_t i = 0; i < from.size(); ++i) {
        torch::Tensor target = to[i].second;
        target.copy_(from[i].second);
      }
    }
    whole.step(step, options.steps, 1.0);
    if (step >= cut) resumed.step(step, options.steps, 1.0);
  }
  const auto a = whole.state(), b = resumed.state();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(torch::equal(a[i].second, b[i].second)) << a[i].first;
  }
}

TEST(AdaptGame, GoesOnFromACopyOfItsStateToTheSameNumbers) {
  const Toy toy = make_toy(kSource, kTarget, 1.2, 300);
  for (const auto method : {AdaptMethod::nw, AdaptMethod::iwdan}) {
    auto options = quick(toy, method, 24);
    options.warm_up = options.ramp = options.pi_hold = 4;
    options.weight_every = 5;
    expect_to_go_on(options, toy.data);
  }
}

TEST(AdaptGame, MovesPiWithTheFeaturesWhereItIsAskedTo) {
  const Toy toy = make_toy(kSource, kTarget, 1.2, 300);
  auto options = quick(toy, AdaptMethod::nw, 6);
  options.pi_hold = 0;
  options.averaging = 0.0;
  options.feature_every = 3;
  for (const bool together : {false, true}) {
    options.pi_with_features = together;
    AdaptGame game(options, toy.data, Rng(1), torch::kCPU);
    auto before = game.proportions()[0];
    for (std::int64_t step = 0; step < options.steps; ++step) {
      game.step(step, options.steps, 1.0);
      const auto after = game.proportions()[0];
      const bool with_features = (step + 1) % options.feature_every == 0;
      EXPECT_EQ(after != before, !together || with_features) << "step " << step;
      before = after;
    }
  }
}

/// Images whose classes are told by their brightness, through a small network for CIFAR-10.
struct Bright {
  AdaptData data;
  AdaptOptions options;
  std::int64_t pretrained = 0;
};

Bright make_bright() {
  constexpr std::int64_t kImages = 24, kSide = 32;
  InputForm form;
  form.image = {kSide, kSide, 3};
  const auto rows = [&](std::uint64_t seed) {
    const auto noise = nn::uniform_tensor(Rng(seed), {kImages, 3, kSide, kSide}, 0.0, 60.0);
    const auto level = torch::arange(kImages).remainder(2).view({-1, 1, 1, 1}) * 180.0;
    return DomainRows((noise + level).to(torch::kUInt8), form);
  };
  AdaptData data{.source = rows(1), .target = rows(2), .class_of = {}, .split = {}};
  for (std::int64_t i = 0; i < kImages; ++i) data.class_of.push_back(i % 2);
  data.split = hold_out(data.class_of, 2, 0.0, Rng(3));
  const nn::BackboneOptions kind{.kind = nn::BackboneKind::cifar_resnet, .classes = 0, .blocks = 1};
  const auto backbone = nn::make_backbone(kind, Rng(4));
  auto options = recipe_options(
      Recipe::best, AdaptMethod::nw,
      {2, form, kImages, std::make_shared<const nn::NamedTensors>(nn::named_tensors(*backbone))});
  options.features.side = 0;
  options.target_batch = options.class_batch = 8;
  options.steps = 60;
  options.warm_up = options.ramp = options.pi_hold = 5;
  options.averaging = 0.0;
  options.feature_optimizer.learning_rate = 1e-3;
  options.backbone_optimizer.learning_rate = 1e-5;
  return {std::move(data), options, backbone->parameters().count()};
}

void play_tuned(const torch::Device& device) {
  const auto [data, options, pretrained] = make_bright();
  AdaptGame game(options, data, Rng(5), device);
  const auto before = game.state().front().second.clone();
  for (std::int64_t step = 0; step < options.steps; ++step) game.step(step, options.steps, 1.0);
  // Adam moves a parameter by about its rate in a step.
  const auto moved = (game.state().front().second - before).abs();
  const auto of_backbone = moved.slice(0, 0, pretrained).max().item<double>();
  const auto of_head = moved.slice(0, pretrained).max().item<double>();
  EXPECT_GT(of_backbone, 0.0);
  EXPECT_LT(of_backbone, 1e-5 * 10 * static_cast<double>(options.steps));
  EXPECT_GT(of_head, 1e-3);
  EXPECT_GT(score(data.class_of, game.predict_target().predicted, 2).accuracy, 0.9);
}

TEST(AdaptGame, TunesABackbone) {
  play_tuned(torch::kCPU);
}

TEST(AdaptGame, GoesOnTuningABackboneFromACopyOfItsState) {
  auto bright = make_bright();
  bright.options.steps = 8;
  bright.options.averaging = 0.5;
  expect_to_go_on(bright.options, bright.data);
}

TEST(AdaptGame, RecordsStepsThatTuneABackbone) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "no CUDA device";
  play_tuned(torch::kCUDA);
}

/// Bars that lie or stand, bright on dark in the source and dark on bright in the target, where
/// more of them stand.
struct Bars {
  AdaptData data;
  AdaptOptions options;
  std::vector<std::int64_t> target_class;
};

Bars make_bars(AdaptMethod method = AdaptMethod::nw) {
  constexpr std::int64_t kImages = 200, kSide = 16;
  InputForm form;
  form.image = {kSide, kSide, 3};
  Bars bars;
  const auto rows = [&](std::uint64_t seed, double standing, std::int64_t channels, bool dark,
                        std::vector<std::int64_t>& class_of) {
    Rng rng(seed);
    auto images = nn::uniform_tensor(rng.split(1), {kImages, channels, kSide, kSide}, 0.0, 50.0);
    for (std::int64_t i = 0; i < kImages; ++i) {
      const bool stands = rng.uniform() < standing;
      class_of.push_back(stands ? 1 : 0);
      const auto first = 4 + static_cast<std::int64_t>(rng.below(6));
      images[i].slice(stands ? 2 : 1, first, first + 3).add_(200.0);
    }
    return DomainRows((dark ? 255.0 - images : images).to(torch::kUInt8), form);
  };
  bars.data.source = rows(1, 0.3, 1, false, bars.data.class_of);
  bars.data.target = rows(2, 0.7, 3, true, bars.target_class);
  bars.data.split = hold_out(bars.data.class_of, 2, 0.1, Rng(3));
  auto& options = bars.options;
  options = recipe_options(Recipe::robust, method, {2, form, kImages});
  options.features.hidden = {8, 16, 16};
  options.critic.hidden = {16};
  options.class_batch = options.target_batch = 16;
  options.warm_up = options.pi_hold = 10;
  options.ramp = options.likely_every = 20;
  options.averaging = 0.95;
  options.steps = 100;
  fit_to_features(options);
  return bars;
}

void play_views(const torch::Device& device) {
  const auto [data, options, target_class] = make_bars();
  AdaptGame game(options, data, Rng(5), device);
  for (std::int64_t step = 0; step < options.steps; ++step) game.step(step, options.steps, 1.0);
  EXPECT_GT(score(target_class, game.predict_target().predicted, 2).mean_class_accuracy, 0.95);
  EXPECT_NEAR(game.proportions()[0][1], 0.7, 0.1);
  EXPECT_GT(game.source_accuracy(), 0.95);
}

TEST(AdaptGame, LearnsFromTwoViewsAndItsOwnClasses) {
  play_views(torch::kCPU);
}

TEST(AdaptGame, RecordsStepsWithTwoViews) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "no CUDA device";
  play_views(torch::kCUDA);
}

TEST(AdaptGame, GoesOnWithTwoViewsFromACopyOfItsState) {
  auto bars = make_bars();
  bars.options.steps = 24;
  bars.options.pi_hold = bars.options.likely_every = 4;
  expect_to_go_on(bars.options, bars.data);
}

TEST(AdaptGame, EveryMethodLearnsFromTwoViews) {
  for (const auto method :
       {AdaptMethod::source_only, AdaptMethod::dann, AdaptMethod::wasserstein, AdaptMethod::iwdan,
        AdaptMethod::sdann, AdaptMethod::bbse, AdaptMethod::self_training, AdaptMethod::fixmatch,
        AdaptMethod::mcc, AdaptMethod::deepjdot, AdaptMethod::deepjdot_pi}) {
    auto [data, options, target_class] = make_bars(method);
    options.steps = 40;
    AdaptGame game(options, data, Rng(5), torch::kCPU);
    for (std::int64_t step = 0; step < options.steps; ++step) game.step(step, options.steps, 1.0);
    EXPECT_GT(game.source_accuracy(), 0.9) << to_string(method);
  }
}

TEST(AdaptGame, LearnsFromTwoViewsOfRowsOfATable) {
  const Toy toy = make_toy(kSource, kTarget, 0.3, 400);
  auto options = quick(toy, AdaptMethod::nw);
  options.views = true;
  options.likely_every = 20;
  options.self_weight = 1.0;
  AdaptGame game(options, toy.data, Rng(5), torch::kCPU);
  for (std::int64_t step = 0; step < options.steps; ++step) game.step(step, options.steps, 1.0);
  EXPECT_GT(score(toy.target_class, game.predict_target().predicted, 3).mean_class_accuracy, 0.9);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(game.proportions()[0][j], kTarget[j], 0.06);
}

TEST(AdaptGame, LearnsFromRowsThatAreMixed) {
  const Toy toy = make_toy(kSource, kTarget, 0.3, 400);
  auto options = quick(toy, AdaptMethod::nw, 300);
  options.views = true;
  options.mixup = 0.4;
  EXPECT_GT(play(toy, options).scores.mean_class_accuracy, 0.9);
}

TEST(AdaptOptions, HaveTheNetworkOfImagesThatIsAskedFor) {
  InputForm form;
  form.image = {28, 28, 3};
  const auto of = [&](Recipe recipe, std::optional<nn::FeatureKind> network) {
    return recipe_options(recipe, AdaptMethod::nw,
                          {.classes = 10, .form = form, .target_rows = 100, .network = network});
  };
  const auto small = of(Recipe::best, nn::FeatureKind::small);
  EXPECT_EQ(small.features.kind, nn::FeatureKind::small);
  EXPECT_EQ(small.critic.data_dim, small.features.hidden.back());
  EXPECT_FALSE(small.views);
  const auto lenet = of(Recipe::robust, nn::FeatureKind::lenet);
  EXPECT_EQ(lenet.features.kind, nn::FeatureKind::lenet);
  EXPECT_TRUE(lenet.views);
  // The recipe's own network stays as it is.
  EXPECT_EQ(of(Recipe::robust, nn::FeatureKind::small).features.hidden,
            of(Recipe::robust, {}).features.hidden);
  EXPECT_THROW((void)of(Recipe::paper, nn::FeatureKind::small), InvalidArgument);
  form.image = {};
  form.shift = form.scale = {0.0, 1.0};
  EXPECT_THROW((void)of(Recipe::best, nn::FeatureKind::small), InvalidArgument);
}

TEST(AdaptOptions, RefuseSelfTrainingWithoutTwoViews) {
  const Toy toy = make_toy(kSource, kTarget, 0.0, 100);
  auto options = quick(toy, AdaptMethod::nw);
  options.self_weight = 1.0;
  EXPECT_THROW(options.validate(), InvalidArgument);
}

TEST(AdaptOptions, AreThoseOfRecipeBestForTablesWhereImagesWouldHaveViews) {
  const Toy toy = make_toy(kSource, kTarget, 0.0, 100);
  const auto robust = recipe_options(Recipe::robust, AdaptMethod::nw, {3, toy.form, 100});
  const auto best = recipe_options(Recipe::best, AdaptMethod::nw, {3, toy.form, 100});
  EXPECT_FALSE(robust.views);
  EXPECT_EQ(robust.features.hidden, best.features.hidden);
  EXPECT_EQ(robust.steps, best.steps);
}

TEST(AdaptGame, LearnsFromATargetOfTenRows) {
  const Toy toy = make_toy(kSource, kTarget);
  Toy small = toy;
  std::vector<std::int64_t> ignored;
  const auto target = triangle(kTarget, 10, 1.2, Rng(9), ignored);
  small.data.target = rows_of(target, toy.form);
  small.target_class = ignored;
  const auto played = play(small, quick(toy, AdaptMethod::nw, 200));
  EXPECT_EQ(played.game->predict_target().predicted.size(), 10U);
  EXPECT_GT(played.game->source_accuracy(), 0.95);
}

TEST(AdaptOptions, OfThePaperHaveTheProgramsCriticAndMovePiWithTheFeatures) {
  InputForm digits;
  digits.image = {28, 28, 3};
  using Widths = std::vector<std::int64_t>;
  const auto options = [&](AdaptMethod method) {
    return recipe_options(Recipe::paper, method, {10, digits, 38400});
  };
  for (const auto method : {AdaptMethod::nw, AdaptMethod::wasserstein}) {
    EXPECT_EQ(options(method).critic.hidden, (Widths{256, 100}));
    EXPECT_EQ(options(method).feature_every, 10);
  }
  EXPECT_TRUE(options(AdaptMethod::nw).pi_with_features);
  EXPECT_EQ(options(AdaptMethod::dann).critic.hidden, (Widths{100}));
  EXPECT_EQ(options(AdaptMethod::dann).feature_every, 1);
  EXPECT_EQ(options(AdaptMethod::nw).steps, 60 * 38400 / 128);
}

TEST(AdaptOptions, HoldBackWhatIsLearntOnFeaturesOfAnotherNetwork) {
  const auto table = [](std::size_t columns) {
    InputForm form;
    form.shift.assign(columns, 0.0);
    form.scale.assign(columns, 1.0);
    return form;
  };
  for (const auto recipe : {Recipe::best, Recipe::paper}) {
    const auto narrow = recipe_options(recipe, AdaptMethod::nw, {3, table(63), 300});
    const auto wide = recipe_options(recipe, AdaptMethod::nw, {3, table(64), 300});
    EXPECT_EQ(narrow.features.dropout, 0.0);
    EXPECT_EQ(narrow.features.norm, nn::FeatureNorm::none);
    const bool held_back = recipe == Recipe::best;
    EXPECT_EQ(wide.features.dropout > 0.0, held_back);
    EXPECT_EQ(wide.features.norm == nn::FeatureNorm::by_domain, held_back);
    EXPECT_EQ(wide.features.hidden.size() < narrow.features.hidden.size(), held_back);
    EXPECT_EQ(wide.critic.data_dim, wide.features.hidden.back());
    EXPECT_EQ(wide.views, held_back);
    EXPECT_FALSE(narrow.views);
  }
}

TEST(AdaptOptions, LetMethodsThatTeachThemselvesWorkOnWideTables) {
  InputForm form;
  form.shift.assign(64, 0.0);
  form.scale.assign(64, 1.0);
  for (const auto method :
       {AdaptMethod::self_training, AdaptMethod::fixmatch, AdaptMethod::mcc, AdaptMethod::nw}) {
    const auto options = recipe_options(Recipe::best, method, {3, form, 300});
    EXPECT_EQ(options.self_weight > 0.0, teaches_itself(method)) << to_string(method);
    EXPECT_EQ(options.likely_every > 0, teaches_itself(method)) << to_string(method);
  }
  form.shift.resize(63);
  form.scale.resize(63);
  EXPECT_THROW((void)recipe_options(Recipe::best, AdaptMethod::mcc, {3, form, 300}),
               InvalidArgument);
}

TEST(AdaptOptions, NameTheFieldThatIsOutOfRange) {
  const Toy toy = make_toy(kSource, kTarget, 0.0, 100);
  auto options = quick(toy, AdaptMethod::nw);
  options.critic_steps = 0;
  try {
    options.validate();
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("critic_steps"), std::string::npos);
  }
}

}  // namespace
}  // namespace nw::adapt
