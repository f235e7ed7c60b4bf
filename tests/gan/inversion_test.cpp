#include "nw/gan/inversion.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::gan {
namespace {

using nn::GeneratorKind;
using torch::Tensor;

/// The least energy over a fine grid of two latent coordinates.
Tensor by_grid(const nn::MixtureGenerator& generator, const Tensor& rows, double price) {
  const torch::NoGradGuard no_grad;
  const auto line = torch::linspace(-4.0, 4.0, 401);
  const auto grid = torch::meshgrid({line, line}, "ij");
  const Tensor z = torch::stack({grid[0].flatten(), grid[1].flatten()}, 1);
  std::vector<Tensor> least;
  for (std::int64_t j = 0; j < generator.components(); ++j) {
    const Tensor made = generator.forward(z.unsqueeze(0), j, nn::Mode::sampling)[0];
    std::vector<Tensor> of_rows;
    for (std::int64_t i = 0; i < rows.size(0); ++i) {
      const auto energy = (made - rows[i]).square().sum(1) + price * z.square().sum(1);
      of_rows.push_back(energy.min());
    }
    least.push_back(torch::stack(of_rows));
  }
  return torch::stack(least, 1).to(torch::kFloat64);
}

TEST(InversionEnergies, OfAffineComponentsAreThoseOfAGrid) {
  for (const auto& hidden : {std::vector<std::int64_t>{}, std::vector<std::int64_t>{6}}) {
    const auto generator = nn::make_mixture_generator(
        {.components = 3, .latent_dim = 2, .data_dim = 4, .hidden = hidden}, Rng(1));
    const auto rows = 0.5 * nn::normal_tensor(Rng(2), {12, 4});
    const InversionOptions options{.price = 0.3};
    const auto energies = inversion_energies(*generator, rows, options, Rng(3));
    const auto expected = by_grid(*generator, rows, options.price);
    EXPECT_TRUE(torch::allclose(energies, expected, 0.0, 1e-3)) << energies << '\n' << expected;
    // A grid never finds less than the minimum.
    EXPECT_TRUE((energies <= expected + 1e-5).all().item<bool>());
  }
}

TEST(InversionEnergies, OfNetworksComeNearThoseOfAGrid) {
  const auto generator = nn::make_mixture_generator(
      {.kind = GeneratorKind::mlp, .components = 2, .latent_dim = 2, .data_dim = 3, .hidden = {16}},
      Rng(4));
  const auto rows = 0.5 * nn::normal_tensor(Rng(5), {10, 3});
  const InversionOptions options{.price = 0.02, .starts = 3, .iterations = 200};
  const auto energies = inversion_energies(*generator, rows, options, Rng(6));
  const auto expected = by_grid(*generator, rows, options.price);
  EXPECT_TRUE(torch::allclose(energies, expected, 0.02, 2e-3)) << energies << '\n' << expected;
}

TEST(InversionEnergies, GiveImagesBackToTheComponentThatMadeThem) {
  const auto generator = nn::make_mixture_generator({.kind = GeneratorKind::deconvolutional,
                                                     .components = 2,
                                                     .latent_dim = 3,
                                                     .data_dim = 64,
                                                     .image = {8, 8, 1},
                                                     .channels = 4},
                                                    Rng(7));
  Tensor rows;
  {
    const torch::NoGradGuard no_grad;
    rows = generator->forward_rows(nn::normal_tensor(Rng(8), {16, 3}), {8, 8}, nn::Mode::sampling);
  }
  const auto found = assign(inversion_energies(
      *generator, rows, {.price = 1e-4, .candidates = 200, .iterations = 150}, Rng(9)));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(found.component_of[i], i / 8) << i;
}

TEST(InversionEnergies, AreLowerWhereAnEncoderGuessesTheFirstNoise) {
  const auto generator = nn::make_mixture_generator({.kind = GeneratorKind::mlp,
                                                     .components = 1,
                                                     .latent_dim = 6,
                                                     .data_dim = 12,
                                                     .hidden = {24}},
                                                    Rng(20));
  Tensor rows;
  {
    const torch::NoGradGuard no_grad;
    rows = generator->forward_rows(nn::normal_tensor(Rng(21), {400, 6}), {400}, nn::Mode::sampling);
  }
  const auto mean = [&](std::int64_t encoder_steps) {
    // Too few iterations to forget where they began.
    const InversionOptions options{.price = 1e-4,
                                   .starts = 1,
                                   .encoder_steps = encoder_steps,
                                   .candidates = 200,
                                   .iterations = 5};
    return inversion_energies(*generator, rows, options, Rng(22)).mean().item<double>();
  };
  EXPECT_LT(mean(400), 0.3 * mean(0));
}

TEST(WithShares, MakesTheJointlyLikeliestComponentTheLeast) {
  // Two unit normals at 0 and 4 with x in between: by Bayes' rule, where the densities weighted by
  // the shares are equal, x = 2 + log(pi_0 / pi_1) / 4.
  const double price = 0.01;
  const std::vector<double> pi{0.9, 0.1};
  const double edge = 2.0 + std::log(9.0) / 4.0;
  for (const double x : {edge - 0.01, edge + 0.01}) {
    const auto energies = price * torch::tensor({{x * x, (x - 4.0) * (x - 4.0)}}, torch::kFloat64);
    EXPECT_EQ(assign(with_shares(energies, pi, price)).component_of[0], x < edge ? 0U : 1U);
  }
  EXPECT_THROW((void)with_shares(torch::zeros({2, 3}), pi, price), InvalidArgument);
}

TEST(InversionEnergies, ChargeForNoiseThatHardlyOccurs) {
  // Both components reach the row; the second needs a noise of eight deviations for it.
  const auto generator =
      nn::make_mixture_generator({.components = 2, .latent_dim = 1, .data_dim = 1}, Rng(1));
  {
    const torch::NoGradGuard no_grad;
    generator->parameters()[0].detach().fill_(1.0);
    const Tensor offset = generator->parameters()[1].detach();
    offset[0].fill_(0.5);
    offset[1].fill_(-8.0);
  }
  const auto energies =
      inversion_energies(*generator, torch::zeros({1, 1}), {.price = 0.01}, Rng(2));
  // price r^2 / (1 + price)
  EXPECT_NEAR(energies[0][0].item<double>(), 0.01 * 0.25 / 1.01, 1e-9);
  EXPECT_NEAR(energies[0][1].item<double>(), 0.01 * 64.0 / 1.01, 1e-9);
}

TEST(Assign, IsSureWhereOneEnergyIsFarBelowTheOthers) {
  const auto energies =
      torch::tensor({{0.1, 5.0, 6.0}, {1.0, 1.0, 1.0}, {3.0, 0.2, 0.3}}, torch::kFloat64);
  const auto found = assign(energies);
  EXPECT_EQ(found.component_of[0], 0u);
  EXPECT_EQ(found.component_of[2], 1u);
  EXPECT_NEAR(found.temperature, 1.3 / 3.0, 1e-12);
  EXPECT_GT(found.confidence[0], 0.99);
  EXPECT_NEAR(found.confidence[1], 1.0 / 3.0, 1e-12);
  const double t = found.temperature;
  const double sure = 1.0 / (1.0 + std::exp(-0.1 / (2 * t)) + std::exp(-2.8 / (2 * t)));
  EXPECT_NEAR(found.confidence[2], sure, 1e-12);
}

TEST(InversionEnergies, RefusesRowsOfAnotherLength) {
  const auto generator = nn::make_mixture_generator({.components = 2}, Rng(1));
  EXPECT_THROW((void)inversion_energies(*generator, torch::zeros({1, 3}), {}, Rng(1)),
               InvalidArgument);
}

}  // namespace
}  // namespace nw::gan
