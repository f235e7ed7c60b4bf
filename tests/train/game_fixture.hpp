// Small games that the tests of training play.
#pragma once

#include <memory>

#include "nw/train/mixture_game.hpp"

namespace nw::train {

/// Two Gaussians of deviation 0.2 at (-1, 0) and (1, 0).
inline measure::Mixture two_modes() {
  measure::Mixture mixture;
  for (const double x : {-1.0, 1.0}) {
    const double centre[2] = {x, 0.0};
    Matrix covariance(2, 2);
    covariance(0, 0) = covariance(1, 1) = 0.04;
    mixture.components.push_back(measure::gaussian_component(centre, covariance));
  }
  return mixture;
}

/// Fast options that learn the two modes.
inline MixtureGameOptions quick_options() {
  MixtureGameOptions options;
  options.batch = 128;
  options.critic_steps = 3;
  options.allocation = Allocation::proportional;
  options.lipschitz = Lipschitz::gradient_penalty;
  options.penalty = 0.1;
  const auto adam = [](double rate) {
    return OptimizerOptions{
        .kind = OptimizerKind::adam, .learning_rate = rate, .beta1 = 0.0, .beta2 = 0.9};
  };
  options.critic = adam(2e-3);
  options.generator = adam(1e-2);
  options.proportions = adam(2e-2);
  options.averaging = 0.98;
  return options;
}

/// A game on data sets that share two modes and have them in the proportions given.
inline std::unique_ptr<MixtureGame> two_mode_game(const MixtureGameOptions& options,
                                                  const std::vector<std::vector<double>>& pi,
                                                  std::uint64_t seed = 1) {
  const Rng rng(seed);
  auto generator = nn::make_mixture_generator({.components = 2}, rng.split(1));
  generator->place(torch::tensor({{-0.6F, 0.3F}, {0.7F, -0.2F}}), 0.1);
  std::vector<Side> sides;
  for (std::size_t s = 0; s < pi.size(); ++s) {
    const nn::CriticOptions critic{.hidden = {32, 32},
                                   .spectral_norm = options.lipschitz == Lipschitz::spectral_norm};
    sides.push_back({std::shared_ptr<DataSource>(mixture_source(two_modes(), pi[s])),
                     nn::make_critic(critic, rng.split(2 + s)), nn::Proportions::learnt(2)});
  }
  return std::make_unique<MixtureGame>(options, Players{std::move(generator), std::move(sides)},
                                       rng.split(9), torch::kCPU);
}

}  // namespace nw::train
