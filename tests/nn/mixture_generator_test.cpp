#include "nw/nn/mixture_generator.hpp"

#include <cmath>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/nn/critic.hpp"
#include "nw/nn/proportions.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

const MixtureGeneratorOptions kMlp{
    .kind = GeneratorKind::mlp, .components = 3, .latent_dim = 4, .data_dim = 5, .hidden = {8}};

TEST(MixtureGenerator, GivesTheSameRowsForUnequalCountsAsOneComponentAtATime) {
  const auto generator = make_mixture_generator(kMlp, Rng(1));
  const auto z = normal_tensor(Rng(2), {9, 4});
  const auto rows = generator->forward_rows(z, {2, 4, 3}, Mode::training);
  ASSERT_EQ(rows.size(0), 9);
  const auto second = generator->forward(z.narrow(0, 2, 4).unsqueeze(0), 1, Mode::training)[0];
  EXPECT_TRUE(torch::allclose(rows.narrow(0, 2, 4), second));
  const auto equal = generator->forward_rows(z, {3, 3, 3}, Mode::training);
  const auto third = generator->forward(z.narrow(0, 6, 3).unsqueeze(0), 2, Mode::training)[0];
  EXPECT_TRUE(torch::allclose(equal.narrow(0, 6, 3), third, 1e-5, 1e-6));
}

TEST(MixtureGenerator, PlacesAffineComponentsAtTheCentresGiven) {
  for (const auto& hidden : {std::vector<std::int64_t>{}, std::vector<std::int64_t>{6, 6}}) {
    const auto generator = make_mixture_generator(
        {.components = 2, .latent_dim = 2, .data_dim = 2, .hidden = hidden}, Rng(1));
    const auto centres = torch::tensor({{1.0F, 2.0F}, {-3.0F, 4.0F}});
    ASSERT_TRUE(generator->place(centres, 0.1));
    const auto at_zero = generator->forward(torch::zeros({2, 1, 2}), 0, Mode::training).squeeze(1);
    EXPECT_TRUE(torch::allclose(at_zero, centres, 1e-4, 1e-5));
  }
}

TEST(MixtureGenerator, RefusesImagesThatAreNoPowerOfTwo) {
  try {
    (void)make_mixture_generator(
        {.kind = GeneratorKind::deconvolutional, .data_dim = 784, .image = {28, 28, 1}}, Rng(0));
    FAIL() << "28 x 28 was accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("28 x 28"), std::string::npos) << error.what();
  }
}

TEST(DrawMixture, DrawsComponentsInTheirProportions) {
  const auto generator = make_mixture_generator({.components = 3}, Rng(1));
  const std::vector<double> pi{0.5, 0.2, 0.3};
  const std::int64_t count = 30000;
  const auto drawn = draw_mixture(*generator, pi, count, Rng(5));
  ASSERT_EQ(drawn.rows.size(0), count);
  std::vector<double> seen(3, 0.0);
  for (const auto j : drawn.component_of) seen[j] += 1.0;
  double chi_square = 0.0;
  for (std::size_t j = 0; j < 3; ++j) {
    const double expected = pi[j] * static_cast<double>(count);
    chi_square += (seen[j] - expected) * (seen[j] - expected) / expected;
  }
  EXPECT_LT(chi_square, 13.8);  // 0.999 quantile, two degrees of freedom
}

TEST(DrawMixture, NamesTheComponentThatMadeARow) {
  const auto generator = make_mixture_generator({.components = 3}, Rng(1));
  generator->place(torch::tensor({{0.0F, 0.0F}, {100.0F, 0.0F}, {0.0F, 100.0F}}), 0.1);
  const std::vector<double> pi{0.4, 0.3, 0.3};
  const auto drawn = draw_mixture(*generator, pi, 200, Rng(5));
  for (std::int64_t i = 0; i < 200; ++i) {
    const auto component = drawn.component_of[static_cast<std::size_t>(i)];
    EXPECT_NEAR(drawn.rows[i][0].item<double>(), component == 1 ? 100.0 : 0.0, 2.0);
    EXPECT_NEAR(drawn.rows[i][1].item<double>(), component == 2 ? 100.0 : 0.0, 2.0);
  }
}

TEST(Proportions, GiveTheGradientOfTheSoftmaxChainRule) {
  auto proportions = Proportions::learnt(4);
  Tensor logits = proportions.logits();
  logits.copy_(normal_tensor(Rng(3), {4}));
  const auto direction = normal_tensor(Rng(4), {4});
  const auto gradient = proportions.logit_gradient(direction);
  constexpr double kStep = 1e-2;
  for (std::int64_t j = 0; j < 4; ++j) {
    auto up = logits.to(torch::kFloat64).clone(), down = up.clone();
    up[j] += kStep;
    down[j] -= kStep;
    const auto value = [&](const Tensor& at) {
      return at::softmax(at, 0).dot(direction.to(torch::kFloat64)).item<double>();
    };
    EXPECT_NEAR(gradient[j].item<double>(), (value(up) - value(down)) / (2 * kStep), 1e-5);
  }
}

TEST(Proportions, StayWhereTheyAreFixed) {
  const std::vector<double> pi{0.1, 0.0, 0.9};
  const auto proportions = Proportions::fixed(pi);
  EXPECT_TRUE(proportions.is_fixed());
  const auto values = proportions.to_vector();
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(values[j], pi[j], 1e-7);
  EXPECT_THROW((void)Proportions::fixed(std::vector<double>{0.5, 0.6}), InvalidArgument);
}

TEST(NormalTensor, IsTheSameForEveryNumberOfThreadsAndStandardNormal) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = normal_tensor(Rng(9), {100, 70});
  at::set_num_threads(2);
  const auto two = normal_tensor(Rng(9), {100, 70});
  at::set_num_threads(threads);
  EXPECT_TRUE(torch::equal(one, two));
  EXPECT_NEAR(one.mean().item<double>(), 0.0, 0.05);
  EXPECT_NEAR(one.std().item<double>(), 1.0, 0.05);
  EXPECT_FALSE(torch::equal(one, normal_tensor(Rng(10), {100, 70})));
}

TEST(Critic, GivesTheSameGradientsForEveryNumberOfThreads) {
  const int threads = at::get_num_threads();
  const ImageSize image{8, 8, 1};
  for (const CriticOptions& options :
       {CriticOptions{.hidden = {32, 32}},
        CriticOptions{
            .kind = CriticKind::convolutional, .data_dim = 64, .image = image, .channels = 4}}) {
    const auto critic = make_critic(options, Rng(1));
    const WeightedBatch batch{.points = normal_tensor(Rng(2), {600, options.data_dim}),
                              .weights = normal_tensor(Rng(3), {600})};
    const PenaltyBatch penalty{.points = normal_tensor(Rng(4), {300, options.data_dim})};
    std::vector<Tensor> gradients, points;
    for (const int count : {1, 2, 3}) {
      at::set_num_threads(count);
      gradients.push_back(critic->parameter_gradient(batch, penalty).gradient);
      points.push_back(critic->point_gradient(batch).gradient);
    }
    at::set_num_threads(threads);
    for (std::size_t i = 1; i < gradients.size(); ++i) {
      EXPECT_TRUE(torch::equal(gradients[0], gradients[i])) << to_string(options.kind);
      EXPECT_TRUE(torch::equal(points[0], points[i])) << to_string(options.kind);
    }
  }
}

}  // namespace
}  // namespace nw::nn
