// Processes that share the rows of every step learn what one of them learns from all rows.
#include <array>

#include <gtest/gtest.h>

#include "nw/adapt/adapt_game.hpp"
#include "nw/nn/random_tensor.hpp"

#include "nn/named_tensors.hpp"
#include "train/thread_team.hpp"

namespace nw::adapt {
namespace {

constexpr std::int64_t kClasses = 3, kSteps = 12;

/// Noise with a class in its mean: nothing here has to be learnt well.
DomainRows rows_for(const InputForm& form, std::int64_t count, std::uint64_t seed) {
  const Rng rng(seed);
  if (!form.is_image()) return {nn::normal_tensor(rng, {count, form.dim()}), form};
  const auto& image = form.image;
  const auto grey = nn::uniform_tensor(rng, {count, image.channels, image.height, image.width});
  return {(grey * 255.0).to(torch::kUInt8), form};
}

AdaptData data_for(const InputForm& form) {
  AdaptData data{.source = rows_for(form, 60, 1),
                 .target = rows_for(form, 50, 2),
                 .class_of = {},
                 .split = {}};
  for (std::int64_t i = 0; i < 60; ++i)
    data.class_of.push_back(i * i % kClasses == 0 ? 0 : i % 2 + 1);
  data.split = hold_out(data.class_of, kClasses, 0.1, Rng(3));
  return data;
}

AdaptOptions options_for(const InputForm& form, Recipe recipe, AdaptMethod method,
                         nn::FeatureNorm norm,
                         std::shared_ptr<const nn::NamedTensors> weights = nullptr) {
  auto options = recipe_options(recipe, method, {kClasses, form, 50, std::move(weights)});
  options.features.norm = norm;
  options.features.dropout = 0.3;
  options.features.side = 0;
  if (!options.features.head.empty()) options.features.head = {6};
  options.features.hidden =
      form.is_image() ? std::vector<std::int64_t>{4, 6} : std::vector<std::int64_t>{16, 8};
  options.classifier.hidden = {12};
  options.classifier.dropout = 0.2;
  fit_to_features(options);
  options.critic.hidden = {16};
  options.class_batch = 5;
  options.target_batch = 11;
  if (options.natural_batch > 0) options.natural_batch = 13;
  options.steps = kSteps;
  options.warm_up = 1;
  options.ramp = 2;
  options.pi_hold = 2;
  options.weight_every = 3;
  // Steps along the gradient: dividing by its size would blow up the rounding of directions in
  // which nothing pulls, such as a bias before a batch norm.
  for (auto* optimizer :
       {&options.backbone_optimizer, &options.feature_optimizer, &options.classifier_optimizer,
        &options.critic_optimizer, &options.pi_optimizer}) {
    *optimizer = {.kind = train::OptimizerKind::adam, .learning_rate = 0.05, .epsilon = 1.0};
  }
  return options;
}

/// Parameters and running moments after all steps.
std::vector<torch::Tensor> learnt(AdaptOptions options, const InputForm& form, Team* team) {
  options.team = team;
  AdaptGame game(options, data_for(form), Rng(7), torch::kCPU);
  for (std::int64_t step = 0; step < kSteps; ++step) game.step(step, kSteps, 1.0);
  std::vector<torch::Tensor> result;
  for (const auto& [name, tensor] : game.state()) {
    if (name.find("optimizer") == std::string::npos) result.push_back(tensor.detach().clone());
  }
  return result;
}

void expect_same_learning(const AdaptOptions& options, const InputForm& form, int size,
                          const std::string& what) {
  const auto alone = learnt(options, form, nullptr);
  std::vector<std::vector<torch::Tensor>> together(static_cast<std::size_t>(size));
  as_team(size, [&](Team& team) {
    together[static_cast<std::size_t>(team.rank())] = learnt(options, form, &team);
  });
  for (const auto& found : together) {
    ASSERT_EQ(found.size(), alone.size());
    for (std::size_t t = 0; t < alone.size(); ++t) {
      EXPECT_TRUE(torch::equal(found[t], together[0][t])) << what << ", tensor " << t;
      const double off = (found[t] - alone[t]).abs().max().item<double>();
      EXPECT_LT(off, 1e-4) << what << ", tensor " << t;
    }
  }
}

const InputForm kTable{
    .image = {}, .shift = std::vector<double>(4, 0.0), .scale = std::vector<double>(4, 1.0)};
const InputForm kPictures{.image = {16, 16, 1}, .shift = {}, .scale = {}};

TEST(AdaptTeam, LearnsWhatOneProcessLearnsByEveryMethod) {
  for (const auto method :
       {AdaptMethod::source_only, AdaptMethod::dann, AdaptMethod::wasserstein, AdaptMethod::nw,
        AdaptMethod::iwdan, AdaptMethod::sdann, AdaptMethod::bbse}) {
    for (const auto recipe : {Recipe::best, Recipe::paper}) {
      const auto options = options_for(kTable, recipe, method, nn::FeatureNorm::none);
      expect_same_learning(options, kTable, 2,
                           std::string(to_string(method)) + " " + to_string(recipe));
    }
  }
}

TEST(AdaptTeam, NormalisesByTheRowsOfAllProcesses) {
  for (const auto norm :
       {nn::FeatureNorm::none, nn::FeatureNorm::joint, nn::FeatureNorm::by_domain}) {
    for (const auto& form : {kTable, kPictures}) {
      const auto options = options_for(form, Recipe::best, AdaptMethod::nw, norm);
      expect_same_learning(options, form, 4,
                           std::string(nn::to_string(norm)) + (form.is_image() ? " images" : ""));
    }
  }
}

TEST(AdaptTeam, TunesABackboneAsOneProcessDoes) {
  const nn::BackboneOptions kind{.kind = nn::BackboneKind::cifar_resnet, .classes = 0, .blocks = 1};
  const auto weights =
      std::make_shared<const nn::NamedTensors>(nn::named_tensors(*nn::make_backbone(kind, Rng(9))));
  const InputForm colour{.image = {32, 32, 3}, .shift = {}, .scale = {}};
  auto options =
      options_for(colour, Recipe::best, AdaptMethod::nw, nn::FeatureNorm::by_domain, weights);
  // Twenty layers blow rounding up faster than one.
  options.backbone_optimizer.learning_rate = 0.002;
  expect_same_learning(options, colour, 2, "tuned");
}

}  // namespace
}  // namespace nw::adapt
