// What the experiments on images are made of: principal components, components that start at
// clusters, the small classifier and who made an image.
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/gan/component_rows.hpp"
#include "nw/gan/component_start.hpp"
#include "nw/gan/gan_options.hpp"
#include "nw/gan/image_classifier.hpp"
#include "nw/gan/recognition.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::gan {
namespace {

using torch::Tensor;

TEST(PrincipalComponents, AreTheLeadingEigenvectorsOfTheCovariance) {
  const auto scale = torch::tensor({5.0F, 0.2F, 3.0F, 0.1F, 1.5F, 0.3F});
  const auto mixing = nn::normal_tensor(Rng(2), {6, 6});
  const auto rows = at::mm(nn::normal_tensor(Rng(1), {300, 6}) * scale, mixing) + 2.0;
  const auto found = principal_components(rows, 3, Rng(3));
  const auto centred = (rows - rows.mean(0)).to(torch::kFloat64);
  const auto [variance, vectors] = at::linalg_eigh(at::mm(centred.t(), centred) / 299.0);
  for (int c = 0; c < 3; ++c) {
    const auto expected = vectors.select(1, 5 - c).to(torch::kFloat32);
    EXPECT_NEAR(std::abs(found.directions.select(1, c).dot(expected).item<double>()), 1.0, 1e-4);
    EXPECT_NEAR(found.deviation[c].item<double>(), std::sqrt(variance[5 - c].item<double>()), 1e-3);
  }
  EXPECT_NEAR(found.project(rows).mean().item<double>(), 0.0, 1e-4);
  EXPECT_THROW((void)principal_components(rows, 7, Rng(3)), InvalidArgument);
}

TEST(StartAtClusters, GivesEachComponentMeanAndSpreadOfItsCluster) {
  // Cluster 0 around 0.5 along the first axis, cluster 1 around -0.5 along the second.
  const auto noise = nn::normal_tensor(Rng(1), {400, 2});
  std::vector<std::uint32_t> cluster_of(400);
  Tensor rows = torch::zeros({400, 2});
  for (std::int64_t i = 0; i < 400; ++i) {
    const bool second = i >= 200;
    cluster_of[static_cast<std::size_t>(i)] = second ? 1 : 0;
    rows[i][0] = (second ? -0.5 : 0.5) + (second ? 0.01 : 0.1) * noise[i][0].item<double>();
    rows[i][1] = (second ? 0.1 : 0.01) * noise[i][1].item<double>();
  }
  const auto generator = nn::make_mixture_generator(
      {.kind = nn::GeneratorKind::mlp, .components = 2, .latent_dim = 2, .hidden = {32}}, Rng(4));
  const double error =
      start_at_clusters(*generator, {rows, cluster_of}, {.steps = 600, .rate = 5e-3}, Rng(5));
  EXPECT_LT(error, 1e-3);
  const auto made =
      generator->forward(nn::normal_tensor(Rng(6), {2, 2000, 2}), 0, nn::Mode::sampling);
  const auto mean = made.mean(1), deviation = made.std(1);
  EXPECT_NEAR(mean[0][0].item<double>(), 0.5, 0.05);
  EXPECT_NEAR(mean[1][0].item<double>(), -0.5, 0.05);
  EXPECT_GT(deviation[0][0].item<double>(), 4.0 * deviation[0][1].item<double>());
  EXPECT_GT(deviation[1][1].item<double>(), 4.0 * deviation[1][0].item<double>());
  const std::vector<std::uint32_t> one_cluster(400, 0);
  EXPECT_THROW(start_at_clusters(*generator, {rows, one_cluster}, {}, Rng(5)), InvalidArgument);
}

TEST(ImageClassifier, LearnsToTellStripesThatRunOneWayFromStripesThatRunTheOther) {
  constexpr nn::ImageSize kImage{16, 16, 1};
  constexpr std::int64_t kRows = 200;
  Tensor images = 0.3 * nn::normal_tensor(Rng(1), {kRows, 16, 16});
  std::vector<std::int64_t> classes;
  for (std::int64_t i = 0; i < kRows; ++i) {
    classes.push_back(i % 2);
    const auto stripes = torch::cos(torch::arange(16.0) + static_cast<double>(i % 5));
    images[i] += i % 2 == 0 ? stripes.unsqueeze(0) : stripes.unsqueeze(1);
  }
  const auto rows = images.flatten(1);
  const ImageClassifier classifier({.image = kImage, .batch = 32, .steps = 40, .held_out = 0.2},
                                   {rows, classes}, Rng(2), torch::kCPU);
  EXPECT_GT(classifier.held_out_accuracy(), 0.95);
  const auto probabilities = classifier.probabilities(rows);
  EXPECT_TRUE(torch::allclose(probabilities.sum(1), torch::ones({kRows})));
  EXPECT_GT((classifier.classify(rows) == torch::tensor(classes))
                .to(torch::kFloat32)
                .mean()
                .item<double>(),
            0.95);
}

nn::MixtureGeneratorOptions small_images() {
  return {.kind = nn::GeneratorKind::affine,
          .components = 2,
          .latent_dim = 4,
          .data_dim = 256,
          .image = {16, 16, 1}};
}

constexpr std::int64_t kNoisyImages = 200;
const RecognitionOptions kQuickly{.images = 400,
                                  .classifier = {.batch = 64, .steps = 60, .held_out = 0.25}};

TEST(Recognise, NamesTheComponentThatMadeAnImageWhereTheyMakeDifferentOnes) {
  const auto generator = nn::make_mixture_generator(small_images(), Rng(1));
  const auto centres = torch::stack({torch::cat({torch::ones({128}), -torch::ones({128})}),
                                     torch::cat({-torch::ones({128}), torch::ones({128})})});
  ASSERT_TRUE(generator->place(0.5 * centres, 0.3));
  const auto rows = torch::cat({component_rows(*generator, 0, kNoisyImages, Rng(2)),
                                component_rows(*generator, 1, kNoisyImages, Rng(3))});
  const std::vector<double> pi = {0.3, 0.7}, too_few = {1.0};
  const auto found = recognise({*generator, pi}, rows, kQuickly, Rng(4));
  EXPECT_GT(found.accuracy, 0.98);
  std::int64_t right = 0;
  for (std::size_t i = 0; i < found.component_of.size(); ++i) {
    right += found.component_of[i] == (i < kNoisyImages ? 0U : 1U) ? 1 : 0;
  }
  EXPECT_GT(right, 0.98 * 2.0 * kNoisyImages);
  EXPECT_THROW((void)recognise({*generator, too_few}, rows, kQuickly, Rng(4)), InvalidArgument);
}

TEST(Recognise, KnowsNothingButTheProportionsWhereComponentsAreTheSame) {
  const auto generator = nn::make_mixture_generator(small_images(), Rng(1));
  for (const auto& leaf : generator->parameters().leaves()) {
    const torch::NoGradGuard no_grad;
    leaf[1].copy_(leaf[0]);
  }
  const auto rows = component_rows(*generator, 0, kNoisyImages, Rng(2));
  const std::vector<double> pi = {0.2, 0.8};
  const auto found = recognise({*generator, pi}, rows, kQuickly, Rng(4));
  EXPECT_NEAR(found.accuracy, 0.5, 0.12);
  EXPECT_NEAR(found.membership.select(1, 1).mean().item<double>(), 0.8, 0.06);
  EXPECT_TRUE(
      torch::allclose(found.membership.sum(1), torch::ones({kNoisyImages}, torch::kFloat64)));
}

TEST(ResidualOptions, ComputeInBfloat16WhatTheyComputeInFloat32ToItsPrecision) {
  auto options = residual_options(Recipe::best, 2, {16, 16, 3});
  options.generator.channels = options.critic.channels = 8;
  options.generator.latent_dim = 4;
  const auto z = nn::normal_tensor(Rng(1), {2, 6, 4});
  const auto full = nn::make_mixture_generator(options.generator, Rng(2));
  const auto images = full->forward(z, 0, nn::Mode::training).detach();
  const auto values =
      nn::make_critic(options.critic, Rng(3))->forward(images.flatten(0, 1)).detach();
  options.generator.bfloat16 = options.critic.bfloat16 = true;
  const auto half = nn::make_mixture_generator(options.generator, Rng(2));
  const auto rough = half->forward(z, 0, nn::Mode::training).detach();
  const auto rough_values =
      nn::make_critic(options.critic, Rng(3))->forward(images.flatten(0, 1)).detach();
  EXPECT_EQ(rough.scalar_type(), torch::kFloat32);
  EXPECT_EQ(rough_values.scalar_type(), torch::kFloat32);
  EXPECT_LT((rough - images).abs().max().item<double>(), 0.1);
  EXPECT_FALSE(torch::equal(rough, images));
  EXPECT_LT((rough_values - values).abs().max().item<double>(),
            0.03 * values.abs().max().item<double>());
}

}  // namespace
}  // namespace nw::gan
