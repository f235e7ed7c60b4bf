// The denoising game: networks against PyTorch, a problem whose answer is known, runs that resume.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>
#include <unistd.h>

#include "nw/adapt/denoise_game.hpp"
#include "nw/adapt/denoise_model.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/train/training_loop.hpp"

#include "nn/peer_case.hpp"

namespace nw::adapt {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

nn::PeerCase autoencoder_case(const std::string& name, const AutoencoderOptions& options) {
  Autoencoder networks(options, Rng(3));
  const auto rows = nn::uniform_tensor(Rng(4), {5, options.data_dim});
  const auto embedding = networks.encode(rows);
  const auto output = networks.decode(embedding);
  const auto loss = (output - rows).square().mean();
  nn::PeerCase one{
      .name = name,
      .options =
          nlohmann::json{
              {"network", "autoencoder"},
              {"image", {options.image.height, options.image.width, options.image.channels}}}
              .dump(),
      .tensors = {}};
  for (const bool encoder : {true, false}) {
    const auto& set = encoder ? networks.encoder() : networks.decoder();
    const auto gradients = torch::autograd::grad({loss}, set.leaves(), {}, /*retain_graph=*/true);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::string layer = (encoder ? "encoder." : "decoder.") + set.specs()[i].name;
      one.add("parameter." + layer, set[i]);
      one.add("ours.gradient." + layer, gradients[i]);
    }
  }
  one.add("input.rows", rows);
  one.add("ours.embedding", embedding);
  one.add("ours.output", output);
  one.add("ours.loss", loss);
  return one;
}

TEST(Autoencoder, MatchesPyTorchInValuesAndGradients) {
  auto differences = nn::ask_pytorch(
      {autoencoder_case("image", {.data_dim = 28 * 28 * 3, .image = {28, 28, 3}, .channels = 6}),
       autoencoder_case("table", {.data_dim = 11, .image = {}, .hidden = {9, 7}})});
  if (differences.empty()) GTEST_SKIP() << "needs python3-torch";
  for (const char* name : {"image", "table"}) {
    EXPECT_GT(differences[name].size(), 10U);
    for (const auto& [answer, difference] : differences[name]) {
      EXPECT_LT(difference, 1e-5) << name << ": " << answer;
    }
  }
}

TEST(Autoencoder, TakesImagesOfEverySizeFromEightByEight) {
  for (const nn::ImageSize size : {nn::ImageSize{8, 8, 1}, {31, 20, 3}, {48, 64, 1}}) {
    const Autoencoder networks({.data_dim = size.count(), .image = size, .channels = 4}, Rng(1));
    const auto embedding = networks.encode(torch::zeros({2, size.count()}));
    EXPECT_EQ(embedding.size(1), 2);
    EXPECT_EQ(networks.decode(embedding).size(1), size.count());
  }
  EXPECT_THROW(Autoencoder({.data_dim = 49, .image = {7, 7, 1}}, Rng(1)), InvalidArgument);
}

constexpr std::int64_t kColumns = 12;

/// Rows around two centres, the first of which takes `share` of them: each varies along one
/// direction of its own.
Tensor two_kinds(std::int64_t rows, double share, const Rng& rng) {
  const auto along = nn::normal_tensor(rng.split(0), {rows, 1});
  auto centre = torch::zeros({rows, kColumns}), slope = torch::zeros({rows, kColumns});
  const auto first = static_cast<std::int64_t>(share * static_cast<double>(rows));
  centre.narrow(0, 0, first).fill_(-1.0);
  centre.narrow(0, first, rows - first).fill_(1.0);
  slope.narrow(0, 0, first).narrow(1, 0, kColumns / 2).fill_(0.3);
  slope.narrow(0, first, rows - first).narrow(1, kColumns / 2, kColumns / 2).fill_(0.3);
  return centre + slope * along;
}

/// Clean rows in proportions 5 : 1; noisy ones, whose noise is not centred, in 1 : 5.
DenoiseData imbalanced_problem() {
  const Rng rng(21);
  DenoiseData data{.source = two_kinds(600, 5.0 / 6.0, rng.split(0)),
                   .target = {},
                   .clean_target = two_kinds(600, 1.0 / 6.0, rng.split(1))};
  data.target = data.clean_target + 0.8 + 0.5 * nn::normal_tensor(rng.split(2), {600, kColumns});
  return data;
}

DenoiseOptions quick(DenoiseMethod method, std::int64_t steps = 600) {
  auto options = denoise_recipe(DenoiseRecipe::best, method, {.data_dim = kColumns, .image = {}});
  options.network.hidden = {32, 32};
  options.critic_hidden = {32, 32};
  options.game.batch = 64;
  options.set_steps(steps);
  return options;
}

double target_error(const DenoiseGame& game, const DenoiseData& data) {
  return (denoise_rows(game.model(), data.target) - data.clean_target)
      .square()
      .mean()
      .item<double>();
}

struct Played {
  std::unique_ptr<DenoiseGame> game;
  double error = 0.0;
};

Played play_method(DenoiseMethod method) {
  const auto data = imbalanced_problem();
  const auto options = quick(method);
  Played result{.game = std::make_unique<DenoiseGame>(options, data, Rng(5), torch::kCPU)};
  const auto end = train::play(
      *result.game, {.steps = options.steps, .log_every = 100, .checkpoint_every = options.steps});
  EXPECT_EQ(end.end, train::LoopEnd::finished);
  result.error = target_error(*result.game, data);
  return result;
}

TEST(DenoiseGame, NormalisesProportionsOutWherePlainWassersteinConfusesKinds) {
  const auto source_only = play_method(DenoiseMethod::source_only);
  const auto wasserstein = play_method(DenoiseMethod::wasserstein);
  const auto nw = play_method(DenoiseMethod::nw);
  const auto oracle = play_method(DenoiseMethod::oracle);
  EXPECT_LT(nw.error, 0.5 * source_only.error);
  EXPECT_LT(nw.error, 0.5 * wasserstein.error);
  EXPECT_LT(oracle.error, nw.error);
  const auto pi = nw.game->proportions();
  ASSERT_EQ(pi.size(), 2U);
  const std::size_t first = pi[0][0] > pi[0][1] ? 0 : 1;
  EXPECT_NEAR(pi[0][first], 5.0 / 6.0, 0.1);
  EXPECT_NEAR(pi[1][first], 1.0 / 6.0, 0.1);
  EXPECT_TRUE(source_only.game->proportions().empty());
}

void expect_same_state(const train::Game& a, const train::Game& b) {
  const auto x = a.state(), y = b.state();
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(torch::equal(x[i].second, y[i].second)) << x[i].first;
  }
}

class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("nw-denoise-" + std::to_string(::getpid()))) {}
  ~Scratch() { fs::remove_all(path_); }
  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

TEST(DenoiseGame, ResumesToTheSameNumbersAsARunThatWasNeverInterrupted) {
  const Scratch scratch;
  const auto data = imbalanced_problem();
  for (const auto recipe : {DenoiseRecipe::best, DenoiseRecipe::paper}) {
    for (const auto method : {DenoiseMethod::wasserstein, DenoiseMethod::nw}) {
      auto options = denoise_recipe(recipe, method, {.data_dim = kColumns, .image = {}});
      options.game.batch = 32;
      options.set_steps(24);
      const auto game = [&] {
        return std::make_unique<DenoiseGame>(options, data, Rng(6), torch::kCPU);
      };
      const train::LoopOptions loop{.steps = 24, .log_every = 4, .checkpoint_every = 8};
      const auto whole = game();
      (void)train::play(*whole, loop);
      const std::string name = std::string(to_string(recipe)) + to_string(method);
      {
        run::RunDirectory directory(scratch / name, "{}");
        const auto first = game();
        const auto stopped = train::play(
            *first, loop,
            {.directory = &directory, .observer = [](const auto& at) { return at.step < 12; }});
        EXPECT_EQ(stopped.end, train::LoopEnd::interrupted);
      }
      run::RunDirectory directory(scratch / name, "{}", {.mode = run::StartMode::resume});
      const auto second = game();
      EXPECT_EQ(train::play(*second, loop, {.directory = &directory}).resumed, 12);
      expect_same_state(*whole, *second);
    }
  }
}

TEST(DenoiseGame, NeverLooksAtCleanTargetRowsUnlessItIsTheOracle) {
  auto with = imbalanced_problem(), without = with;
  without.clean_target = Tensor();
  for (const auto method :
       {DenoiseMethod::source_only, DenoiseMethod::wasserstein, DenoiseMethod::nw}) {
    DenoiseGame a(quick(method, 20), with, Rng(7), torch::kCPU);
    DenoiseGame b(quick(method, 20), without, Rng(7), torch::kCPU);
    for (std::int64_t step = 0; step < 20; ++step) {
      (void)a.step(step, 20, 1.0);
      (void)b.step(step, 20, 1.0);
    }
    expect_same_state(a, b);
  }
  EXPECT_THROW(DenoiseGame(quick(DenoiseMethod::oracle), without, Rng(7), torch::kCPU),
               InvalidArgument);
}

TEST(DenoiseGame, KeepsLambdaAtZeroFirstAndRaisesItThen) {
  auto options = quick(DenoiseMethod::nw);
  options.form = DistanceForm::dual;
  options.initial_steps = 10;
  options.components_from = 5;
  options.ramp_steps = 4;
  options.weight = 2.0;
  const DenoiseGame game(options, imbalanced_problem(), Rng(8), torch::kCPU);
  EXPECT_EQ(game.weight_at(9), 0.0);
  EXPECT_DOUBLE_EQ(game.weight_at(10), 0.5);
  EXPECT_DOUBLE_EQ(game.weight_at(13), 2.0);
  EXPECT_DOUBLE_EQ(game.weight_at(1000), 2.0);
}

TEST(DenoiseRecipes, PaperHasTheNumbersOfItsTable) {
  const auto options = denoise_recipe(DenoiseRecipe::paper, DenoiseMethod::nw, {});
  EXPECT_EQ(options.network.channels, 64);
  EXPECT_EQ(options.network.embedding, 2);
  EXPECT_EQ(options.initial_steps, 5000);
  EXPECT_EQ(options.game.batch, 128);
  EXPECT_EQ(options.game.critic_steps, 5);
  EXPECT_EQ(options.game.clip, 0.01);
  EXPECT_EQ(options.weight, 1.0);
  EXPECT_EQ(options.encoder.learning_rate, 2e-4);
  EXPECT_EQ(options.game.proportions.learning_rate, 5e-4);
  EXPECT_EQ(options.components_from, 0);
  EXPECT_EQ(options.form, DistanceForm::dual);
  EXPECT_EQ(options.game.lipschitz, train::Lipschitz::clipping);
}

TEST(ResidualVariance, IsTheErrorPlusTheVarianceOfTheNoise) {
  const Rng rng(9);
  const auto clean = nn::uniform_tensor(rng.split(0), {400, 50});
  const auto noisy = clean + 0.4 + 0.7 * nn::normal_tensor(rng.split(1), {400, 50});
  const auto wrong = clean + 0.3 * nn::normal_tensor(rng.split(2), {400, 50});
  const auto matrix = [](const Tensor& t) { return bridge::to_matrix(t); };
  const double error = mean_square(matrix(wrong), matrix(clean));
  EXPECT_NEAR(error, 0.09, 0.003);
  EXPECT_NEAR(residual_variance(matrix(noisy), matrix(wrong)), error + 0.49, 0.01);
  EXPECT_LT(residual_variance(matrix(noisy), matrix(clean)),
            residual_variance(matrix(noisy), matrix(wrong)));
}

TEST(LoadDenoiser, GivesBackWhatTheRunHasLearnt) {
  const Scratch scratch;
  const auto data = imbalanced_problem();
  const auto options = quick(DenoiseMethod::source_only, 10);
  const DenoiseScale scale{.shift = std::vector<double>(kColumns, 0.5), .scale = 2.0};
  DenoiseGame game(options, data, Rng(10), torch::kCPU);
  run::RunDirectory directory(scratch / "run", "{}");
  (void)train::play(game, {.steps = 10, .log_every = 5, .checkpoint_every = 5},
                    {.directory = &directory});
  const auto loaded = load_denoiser(scratch / "run", denoiser_json(options.network, scale));
  EXPECT_EQ(loaded.step, 10);
  const auto rows = bridge::to_matrix(data.target.narrow(0, 0, 7));
  const auto expected = scale.to_data(denoise_rows(game.model(), scale.to_network(rows)));
  EXPECT_EQ(mean_square(loaded.denoise(rows), expected), 0.0);
  EXPECT_THROW((void)load_denoiser(scratch / "run", "{}"), IoError);
}

}  // namespace
}  // namespace nw::adapt
