// Every network, its gradients and the gradient of its penalty, against PyTorch on the same
// weights.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

#include "nw/nn/critic.hpp"
#include "nw/nn/lipschitz.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/nn/spectral_norm.hpp"
#include "nw/train/optimizer.hpp"

#include "nn/kernels/mlp_pass.hpp"
#include "nn/peer_case.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr double kTolerance = 1e-5;
constexpr double kPenalty = 10.0;

std::string options_json(const std::string& network, const CriticOptions& options) {
  return nlohmann::json{
      {"network", network},
      {"slope", options.slope},
      {"penalty", kPenalty},
      {"image", {options.image.height, options.image.width, options.image.channels}}}
      .dump();
}

/// How the gradients of a critic are computed.
enum class Path { chosen, autograd };

PeerCase critic_case(const std::string& name, const CriticOptions& options, bool penalty,
                     Path path = Path::chosen) {
  const Rng rng(7);
  const auto critic = make_critic(options, rng);
  critic->refresh();
  // More than one block of rows, the last one not full.
  const std::int64_t rows = options.kind == CriticKind::mlp ? 600 : 12;
  const WeightedBatch batch{.points = normal_tensor(rng.split(1), {rows, options.data_dim}),
                            .weights = normal_tensor(rng.split(2), {rows})};
  std::optional<PenaltyBatch> penalty_batch;
  PeerCase one{.name = name,
               .options = options_json(std::string(to_string(options.kind)) + "_critic", options),
               .tensors = {}};
  one.add_parameters(critic->parameters());
  one.add("input.points", batch.points);
  one.add("input.weights", batch.weights);
  if (penalty) {
    penalty_batch = {.points = normal_tensor(rng.split(3), {rows - 3, options.data_dim}),
                     .coefficient = kPenalty};
    one.add("input.penalty_points", penalty_batch->points);
  }
  const auto buffers = critic->buffers();
  for (std::size_t b = 0; b < buffers.size(); b += 2) {
    one.add("buffer." + std::to_string(b) + ".u", buffers[b]);
    one.add("buffer." + std::to_string(b) + ".v", buffers[b + 1]);
  }
  const auto parameter = path == Path::autograd
                             ? critic->Critic::parameter_gradient(batch, penalty_batch)
                             : critic->parameter_gradient(batch, penalty_batch);
  const auto point = path == Path::autograd ? critic->Critic::point_gradient(batch)
                                            : critic->point_gradient(batch);
  one.add("ours.values", parameter.values);
  one.add("ours.point_gradient", point.gradient);
  if (penalty) one.add("ours.penalty", parameter.penalty);
  one.add_gradient(critic->parameters(), parameter.gradient);
  return one;
}

PeerCase generator_case(const std::string& name, const MixtureGeneratorOptions& options) {
  const Rng rng(11);
  const auto generator = make_mixture_generator(options, rng);
  const auto z = normal_tensor(rng.split(1), {options.components, 5, options.latent_dim});
  const auto output = generator->forward(z, 0, Mode::training);
  const auto weights = normal_tensor(rng.split(2), output.sizes());
  PeerCase one{
      .name = name,
      .options =
          nlohmann::json{{"network", std::string(to_string(options.kind)) + "_generator"}}.dump(),
      .tensors = {}};
  one.add_parameters(generator->parameters());
  one.add("input.z", z);
  one.add("input.weights", weights);
  one.add("ours.output", output);
  one.add_gradient(generator->parameters(),
                   generator->parameters().flatten(torch::autograd::grad(
                       {output}, generator->parameters().leaves(), {weights})));
  return one;
}

PeerCase optimizer_case(const train::OptimizerOptions& options) {
  const Rng rng(13);
  const auto start = normal_tensor(rng.split(0), {50});
  const auto gradients = normal_tensor(rng.split(1), {7, 50});
  auto x = start.clone();
  train::Optimizer optimizer(options, 50, torch::kCPU);
  for (std::int64_t t = 0; t < 7; ++t) optimizer.step(x, gradients[t]);
  PeerCase one{.name = to_string(options.kind),
               .options = nlohmann::json{{"network", to_string(options.kind)},
                                         {"rate", options.learning_rate},
                                         {"beta1", options.beta1},
                                         {"beta2", options.beta2}}
                              .dump(),
               .tensors = {}};
  one.add("input.start", start);
  one.add("input.gradients", gradients);
  one.add("ours.end", x);
  return one;
}

PeerCase spectral_norm_case() {
  const Rng rng(17);
  const auto weight = normal_tensor(rng.split(0), {8, 5}).requires_grad_(true);
  const auto x = normal_tensor(rng.split(1), {3, 5}), y = normal_tensor(rng.split(2), {3, 8});
  SpectralNorm norm(8, 5, rng.split(3));
  PeerCase one{
      .name = "spectral_norm", .options = R"({"network": "spectral_norm"})", .tensors = {}};
  one.add("input.u", norm.u().clone());
  for (int pass = 0; pass < 3; ++pass) norm.iterate(weight);
  const auto output = at::linear(x, norm.normalised(weight));
  one.add("input.weight", weight);
  one.add("input.x", x);
  one.add("input.y", y);
  one.add("ours.output", output);
  one.add("ours.gradient", torch::autograd::grad({(output * y).sum()}, {weight})[0]);
  return one;
}

const ImageSize kImage{16, 16, 3};
const CriticOptions kMlp{.data_dim = 2, .hidden = {24, 16}};
const CriticOptions kWideMlp{.data_dim = 20, .hidden = {33, 17, 9}, .slope = 0.0};
const CriticOptions kConvolutional{
    .kind = CriticKind::convolutional, .data_dim = kImage.count(), .image = kImage, .channels = 6};
const CriticOptions kResidual{
    .kind = CriticKind::residual, .data_dim = kImage.count(), .image = kImage, .channels = 6};

CriticOptions with_spectral_norm(CriticOptions options) {
  options.spectral_norm = true;
  return options;
}

MixtureGeneratorOptions generator_options(GeneratorKind kind) {
  MixtureGeneratorOptions options{.kind = kind, .components = 3, .latent_dim = 4, .data_dim = 5};
  if (kind == GeneratorKind::affine || kind == GeneratorKind::mlp) {
    options.hidden = {7, 6};
  } else {
    options.image = kImage;
    options.data_dim = kImage.count();
    options.channels = 4;
  }
  return options;
}

class NetworksMatchPyTorch : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    differences_ = ask_pytorch(
        {critic_case("mlp", kMlp, false), critic_case("mlp_penalty", kMlp, true),
         critic_case("mlp_autograd", kMlp, true, Path::autograd),
         critic_case("wide_mlp_penalty", kWideMlp, true),
         critic_case("mlp_spectral", with_spectral_norm(kMlp), true),
         critic_case("convolutional", kConvolutional, true),
         critic_case("convolutional_spectral", with_spectral_norm(kConvolutional), false),
         critic_case("residual", kResidual, true),
         generator_case("affine", generator_options(GeneratorKind::affine)),
         generator_case("mlp_generator", generator_options(GeneratorKind::mlp)),
         generator_case("deconvolutional", generator_options(GeneratorKind::deconvolutional)),
         generator_case("residual_generator", generator_options(GeneratorKind::residual)),
         optimizer_case({.kind = train::OptimizerKind::rmsprop, .learning_rate = 0.01}),
         optimizer_case({.kind = train::OptimizerKind::adam,
                         .learning_rate = 0.01,
                         .beta1 = 0.5,
                         .beta2 = 0.9}),
         spectral_norm_case()});
  }
  void SetUp() override {
    if (differences_.empty()) GTEST_SKIP() << "needs python3-torch";
  }
  static void expect_equal(const std::string& name) {
    ASSERT_TRUE(differences_.contains(name));
    ASSERT_FALSE(differences_[name].empty());
    for (const auto& [answer, difference] : differences_[name]) {
      EXPECT_LT(difference, kTolerance) << name << ": " << answer;
    }
  }
  static inline Differences differences_;
};

TEST_F(NetworksMatchPyTorch, InValueAndGradientsOfThePerceptronByHand) {
  expect_equal("mlp");
}

TEST_F(NetworksMatchPyTorch, InThePenaltyOfThePerceptronByHand) {
  expect_equal("mlp_penalty");
  expect_equal("wide_mlp_penalty");
}

TEST_F(NetworksMatchPyTorch, InThePenaltyByAutograd) {
  expect_equal("mlp_autograd");
}

TEST_F(NetworksMatchPyTorch, InConvolutionalAndResidualCritics) {
  expect_equal("convolutional");
  expect_equal("residual");
}

TEST_F(NetworksMatchPyTorch, InSpectralNorm) {
  expect_equal("spectral_norm");
  expect_equal("mlp_spectral");
  expect_equal("convolutional_spectral");
}

TEST_F(NetworksMatchPyTorch, InEveryBatchedGenerator) {
  expect_equal("affine");
  expect_equal("mlp_generator");
  expect_equal("deconvolutional");
  expect_equal("residual_generator");
}

TEST_F(NetworksMatchPyTorch, InSevenStepsOfEachOptimizer) {
  expect_equal("rmsprop");
  expect_equal("adam");
}

TEST(MlpPass, GivesTheSameInBlocksAndAsAWhole) {
  const Rng rng(3);
  const std::int64_t rows = 700;
  const auto critic = make_critic(kWideMlp, rng);
  const auto& p = critic->parameters();
  MlpView mlp{.weights = {}, .biases = {}, .slope = kWideMlp.slope};
  MlpLayout layout{.weight_offset = {}, .bias_offset = {}, .count = p.count()};
  for (std::size_t i = 0; i < p.size(); i += 2) {
    mlp.weights.push_back(p[i]);
    mlp.biases.push_back(p[i + 1]);
    layout.weight_offset.push_back(p.offset(i));
    layout.bias_offset.push_back(p.offset(i + 1));
  }
  const WeightedBatch batch{.points = normal_tensor(rng.split(1), {rows, 20}),
                            .weights = normal_tensor(rng.split(2), {rows})};
  const PenaltyBatch penalty{.points = normal_tensor(rng.split(3), {300, 20}), .coefficient = 2.0};
  const auto blocks = mlp_parameter_gradient(mlp, layout, batch, penalty);
  const auto whole = mlp_parameter_gradient_whole(mlp, layout, batch, penalty);
  EXPECT_TRUE(torch::allclose(blocks.gradient, whole.gradient, 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(blocks.values, whole.values, 1e-5, 1e-5));
  EXPECT_NEAR(blocks.penalty.item<double>(), whole.penalty.item<double>(), 1e-5);
  const auto point = mlp_point_gradient(mlp, batch),
             point_whole = mlp_point_gradient_whole(mlp, batch);
  EXPECT_TRUE(torch::allclose(point.gradient, point_whole.gradient, 1e-4, 1e-5));
}

TEST(ClipParameters, BoundsEveryParameter) {
  const auto critic = make_critic(kMlp, Rng(1));
  clip_parameters(critic->parameters(), 0.003);
  EXPECT_LE(critic->parameters().flat().abs().max().item<double>(), 0.003 + 1e-9);
  EXPECT_GT(critic->parameters()[0].abs().max().item<double>(), 0.0029);
}

TEST(Interpolate, GoesFromTheSecondPointToTheFirst) {
  const auto x = torch::tensor({{1.0F, 3.0F}, {5.0F, 1.0F}}), y = torch::zeros({2, 2});
  const auto between = interpolate(x, y, torch::tensor({0.5F, 1.0F}));
  EXPECT_TRUE(torch::allclose(between, torch::tensor({{0.5F, 1.5F}, {5.0F, 1.0F}})));
}

}  // namespace
}  // namespace nw::nn
