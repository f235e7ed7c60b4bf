#include "nw/train/mixture_game.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "train/game_fixture.hpp"

namespace nw::train {
namespace {

void expect_same_state(const Game& a, const Game& b) {
  const auto x = a.state(), y = b.state();
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(torch::equal(x[i].second, y[i].second)) << x[i].first;
  }
}

TEST(MixtureGame, GivesTheSameNumbersForEveryNumberOfThreads) {
  const int threads = at::get_num_threads();
  const std::vector<std::vector<double>> pi{{0.7, 0.3}, {0.2, 0.8}};
  auto options = quick_options();
  options.diversity = 0.1;
  std::vector<std::unique_ptr<MixtureGame>> games;
  for (const int count : {1, 2}) {
    at::set_num_threads(count);
    games.push_back(two_mode_game(options, pi));
    for (std::int64_t step = 0; step < 4; ++step) games.back()->step(step, 4, 1.0);
  }
  at::set_num_threads(threads);
  expect_same_state(*games[0], *games[1]);
}

TEST(MixtureGame, LearnsSharedComponentsAndTheProportionsOfBothDataSets) {
  const auto game = two_mode_game(quick_options(), {{0.8, 0.2}, {0.3, 0.7}});
  constexpr std::int64_t kSteps = 250;
  for (std::int64_t step = 0; step < kSteps; ++step) game->step(step, kSteps, 1.0);
  const auto pi = game->proportions();
  EXPECT_NEAR(pi[0][0], 0.8, 0.04);
  EXPECT_NEAR(pi[1][0], 0.3, 0.04);
  const auto centres =
      game->sampler().forward(torch::zeros({2, 1, 2}), 0, nn::Mode::sampling).squeeze(1);
  EXPECT_TRUE(
      torch::allclose(centres.detach(), torch::tensor({{-1.0F, 0.0F}, {1.0F, 0.0F}}), 0.0, 0.08))
      << centres;
}

TEST(MixtureGame, HoldsFixedProportions) {
  auto options = quick_options();
  const Rng rng(1);
  const std::vector<double> fixed{0.5, 0.5}, data{0.9, 0.1};
  std::vector<Side> sides;
  sides.push_back({std::shared_ptr<DataSource>(mixture_source(two_modes(), data)),
                   nn::make_critic({.hidden = {16}}, rng.split(1)), nn::Proportions::fixed(fixed)});
  MixtureGame game(options,
                   {nn::make_mixture_generator({.components = 2}, rng.split(2)), std::move(sides)},
                   rng, torch::kCPU);
  for (std::int64_t step = 0; step < 5; ++step) game.step(step, 5, 1.0);
  EXPECT_NEAR(game.proportions()[0][0], 0.5, 1e-7);
}

TEST(MixtureGame, ClipsTheCriticOfThePaper) {
  auto options = quick_options();
  options.lipschitz = Lipschitz::clipping;
  options.clip = 0.01;
  const auto game = two_mode_game(options, {{0.5, 0.5}});
  game->step(0, 1, 1.0);
  EXPECT_LE(game->critic(0).parameters().flat().abs().max().item<double>(), 0.01 + 1e-9);
}

TEST(MixtureGame, PlaysWithSpectralNormAndEveryAllocation) {
  auto options = quick_options();
  options.lipschitz = Lipschitz::spectral_norm;
  for (const auto allocation : {Allocation::full, Allocation::equal, Allocation::proportional}) {
    options.allocation = allocation;
    const auto game = two_mode_game(options, {{0.5, 0.5}});
    const auto values = game->step(0, 1, 1.0);
    // The critic is 1-Lipschitz up to the power iteration, and no two points lie 10 apart.
    EXPECT_LT(values.values[0].second.item<double>(), 10.0);
    EXPECT_TRUE(std::isfinite(values.values[0].second.item<double>()));
  }
}

TEST(MixtureGameOptions, NameTheFieldThatIsOutOfRange) {
  auto options = quick_options();
  options.critic_steps = 0;
  try {
    options.validate();
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("critic_steps"), std::string::npos);
  }
}

}  // namespace
}  // namespace nw::train
