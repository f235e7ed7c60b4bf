// What runs on a GPU by kernels of its own gives the numbers of the CPU.
#include <ATen/Context.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/gan/gan_options.hpp"
#include "nw/nn/critic.hpp"
#include "nw/nn/feature_network.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/train/optimizer.hpp"

#include "adapt/image_windows.hpp"

namespace nw {
namespace {

double relative_difference(const torch::Tensor& a, const torch::Tensor& b) {
  const auto right = b.to(torch::kCPU, torch::kFloat64);
  const auto left = a.to(torch::kCPU, torch::kFloat64);
  return ((left - right).norm() / right.norm()).item<double>();
}

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "no CUDA device";
  }
  const torch::Device gpu_{torch::kCUDA};
};

TEST_F(OnAGpu, ACriticHasTheGradientsOfTheCpu) {
  for (const std::int64_t dim : {1, 2, 5, 8, 9}) {
    for (const std::int64_t rows : {1, 79, 80, 81, 1000, 10240, 30001}) {
      SCOPED_TRACE(concat(dim, " inputs, ", rows, " rows"));
      const Rng rng(static_cast<std::uint64_t>(dim * 100000 + rows));
      const auto here = nn::make_critic({.data_dim = dim}, rng.split(0));
      const auto there = nn::make_critic({.data_dim = dim}, rng.split(0));
      there->to(gpu_);
      const nn::WeightedBatch batch{.points = nn::normal_tensor(rng.split(1), {rows, dim}),
                                    .weights = nn::normal_tensor(rng.split(2), {rows})};
      const nn::PenaltyBatch penalty{.points = nn::normal_tensor(rng.split(3), {64, dim}),
                                     .coefficient = 10.0};
      for (const bool penalised : {false, true}) {
        const auto right =
            here->parameter_gradient(batch, penalised ? std::optional(penalty) : std::nullopt);
        const nn::PenaltyBatch moved{.points = penalty.points.to(gpu_), .coefficient = 10.0};
        const auto found = there->parameter_gradient(
            {.points = batch.points.to(gpu_), .weights = batch.weights.to(gpu_)},
            penalised ? std::optional(moved) : std::nullopt);
        EXPECT_LT(relative_difference(found.values, right.values), 1e-5);
        EXPECT_LT(relative_difference(found.gradient, right.gradient), 2e-5);
      }
    }
  }
}

TEST_F(OnAGpu, OptimisersTakeTheStepsOfTheCpu) {
  for (const auto kind : {train::OptimizerKind::rmsprop, train::OptimizerKind::adam}) {
    SCOPED_TRACE(train::to_string(kind));
    const Rng rng(3);
    const auto start = nn::normal_tensor(rng.split(0), {1000});
    auto here = start.clone(), there = start.to(gpu_);
    train::Optimizer left({.kind = kind, .learning_rate = 0.01}, 1000, torch::kCPU);
    train::Optimizer right({.kind = kind, .learning_rate = 0.01}, 1000, gpu_);
    for (std::uint64_t step = 1; step <= 20; ++step) {
      const auto gradient = nn::normal_tensor(rng.split(step), {1000});
      left.set_rate_factor(1.0 / static_cast<double>(step));
      right.set_rate_factor(1.0 / static_cast<double>(step));
      left.step(here, gradient);
      right.step(there, gradient.to(gpu_));
    }
    EXPECT_LT(relative_difference(there - start.to(gpu_), here - start), 1e-5);
  }
}

TEST_F(OnAGpu, WindowsOfImagesAreThoseOfTheCpu) {
  const Rng rng(7);
  for (const std::int64_t channels : {1, 3}) {
    const auto images = (nn::uniform_tensor(rng.split(1), {20, channels, 32, 30}) * 256.0)
                            .floor()
                            .to(torch::kUInt8);
    const auto indices = nn::index_tensor(rng.split(2), 50, 20);
    const auto place = nn::uniform_tensor(rng.split(3), {50, 2});
    const auto contrast = nn::uniform_tensor(rng.split(4), {50, 3, 3});
    for (const bool random : {false, true}) {
      const adapt::WindowOptions options{
          .size = {28, 28, 3}, .shift = random ? 2 : 0, .jitter = random ? 0.8 : 0.0};
      adapt::WindowDraws here, there;
      if (random) {
        here = {place, contrast};
        there = {place.to(gpu_), contrast.to(gpu_)};
      }
      const auto found = adapt::image_windows(images.to(gpu_), indices.to(gpu_), options, there);
      const auto right = adapt::image_windows(images, indices, options, here);
      ASSERT_EQ(found.sizes(), right.sizes());
      EXPECT_LT(relative_difference(found, right), 1e-6);
    }
  }
}

TEST_F(OnAGpu, LeNetHasTheFeaturesAndGradientsOfTheCpu) {
  at::globalContext().setAllowTF32CuDNN(false);  // whose rounding would change what pooling keeps
  // 28 x 28 is the paper's; the others have odd sides after the first or the second convolution.
  for (const std::int64_t side : {28, 29, 30, 31}) {
    for (const double dropout : {0.0, 0.5}) {
      SCOPED_TRACE(concat(side, " pixels, dropout ", dropout));
      const nn::FeatureOptions options{.image = {side, side - 1, 3}, .dropout = dropout};
      const auto here = nn::make_feature_network(options, Rng(1));
      const auto there = nn::make_feature_network(options, Rng(1));
      there->to(gpu_);
      const auto grey = nn::normal_tensor(Rng(2), {70, 1, side, side - 1});
      const auto colour = nn::normal_tensor(Rng(3), {30, 3, side, side - 1});
      const auto run = [&](const nn::FeatureNetwork& network, const torch::Device& device) {
        const nn::FeaturePass pass{.mode = nn::Mode::training,
                                   .uniform = [&](at::IntArrayRef sizes) {
                                     return nn::uniform_tensor(Rng(4), sizes, 0.0, 1.0).to(device);
                                   }};
        const auto features =
            network.forward({.source = grey.to(device), .target = colour.to(device)}, pass);
        const auto slope = nn::normal_tensor(Rng(5), features.sizes()).to(device);
        return std::pair(features.detach(),
                         network.parameters().flatten(torch::autograd::grad(
                             {features}, network.parameters().leaves(), {slope})));
      };
      const auto right = run(*here, torch::kCPU), found = run(*there, gpu_);
      EXPECT_LT(relative_difference(found.first, right.first), 1e-5);
      EXPECT_LT(relative_difference(found.second, right.second), 1e-3);
    }
  }
}

TEST_F(OnAGpu, ResidualNetworksComputeWhatTheyComputeOnTheCpu) {
  at::globalContext().setAllowTF32CuDNN(false);
  auto options = gan::residual_options(gan::Recipe::best, 3, {16, 16, 3});
  options.generator.channels = options.critic.channels = 16;
  const auto z = nn::normal_tensor(Rng(1), {3, 8, options.generator.latent_dim});
  const auto right = nn::make_mixture_generator(options.generator, Rng(2))
                         ->forward(z, 0, nn::Mode::training)
                         .detach();
  const auto rows = right.flatten(0, 1);
  const auto values = nn::make_critic(options.critic, Rng(3))->forward(rows).detach();
  for (const bool half : {false, true}) {
    SCOPED_TRACE(half ? "bfloat16" : "float32");
    options.generator.bfloat16 = options.critic.bfloat16 = half;
    const auto generator = nn::make_mixture_generator(options.generator, Rng(2));
    const auto critic = nn::make_critic(options.critic, Rng(3));
    generator->to(gpu_);
    critic->to(gpu_);
    const auto made = generator->forward(z.to(gpu_), 0, nn::Mode::training).detach();
    EXPECT_LT(relative_difference(made, right), half ? 0.05 : 1e-4);
    EXPECT_LT(relative_difference(critic->forward(rows.to(gpu_)).detach(), values),
              half ? 0.05 : 1e-4);
  }
  at::globalContext().setAllowTF32CuDNN(true);
}

TEST_F(OnAGpu, RecordedStepsOfAnImageGameGoOnLearning) {
  auto options = gan::residual_options(gan::Recipe::best, 2, {16, 16, 3});
  options.generator.channels = options.critic.channels = 16;
  options.generator.bfloat16 = options.critic.bfloat16 = true;
  options.game.batch = 16;
  std::vector<train::Side> sides;
  sides.push_back({train::table_source(nn::uniform_tensor(Rng(1), {100, 16 * 16 * 3}, -1.0, 1.0)),
                   nn::make_critic(options.critic, Rng(2)), nn::Proportions::learnt(2)});
  train::MixtureGame game(options.game,
                          {nn::make_mixture_generator(options.generator, Rng(3)), std::move(sides)},
                          Rng(4), gpu_);
  torch::Tensor before;
  for (std::int64_t step = 0; step < 12; ++step) {  // both graphs are recorded by the eighth
    if (step == 10) before = game.generator().parameters().flat().clone();
    const auto values = game.step(step, 12, 1.0);
    EXPECT_TRUE(std::isfinite(values.values[0].second.item<double>()));
  }
  EXPECT_FALSE(torch::equal(before, game.generator().parameters().flat()));
  EXPECT_GT(game.sample(4, 0, Rng(5)).rows.abs().max().item<double>(), 0.0);
}

}  // namespace
}  // namespace nw
