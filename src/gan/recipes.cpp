// Recipes. `paper` follows the tables of the appendix "Architecture and hyper-parameters" of
// Balaji, Chellappa and Feizi 2019 and, for WGAN and MGAN, the papers they refer to: Gulrajani et
// al. 2017 (gradient penalty, Adam 1e-4, five critic steps) and Hoang et al. 2018 (Adam 2e-4, beta
// 0.125). The table gives the critic two outputs; a potential has one, and so has ours.
#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/gan/gan_fields.hpp"

namespace nw::gan {
namespace {

using train::OptimizerKind;
using train::OptimizerOptions;

OptimizerOptions adam(double rate, double beta1 = 0.0, double beta2 = 0.9) {
  return {.kind = OptimizerKind::adam, .learning_rate = rate, .beta1 = beta1, .beta2 = beta2};
}

OptimizerOptions rmsprop(double rate) {
  return {.kind = OptimizerKind::rmsprop, .learning_rate = rate};
}

void set_rates(GanOptions& options, const OptimizerOptions& critic,
               const OptimizerOptions& generator, const OptimizerOptions& proportions) {
  options.game.critic = critic;
  options.game.generator = generator;
  options.game.proportions = proportions;
}

/// Points, NWGAN, as we found it to work: a critic that is trained to a distance (weak penalty,
/// Adam without momentum), components that start at data and move three times as fast as the
/// critic, one stratified batch for all of them, and the average over the last few hundred steps.
void best_points(GanOptions& options) {
  options.critic.hidden = {128, 128};
  auto& game = options.game;
  game.batch = 1024;
  game.critic_steps = 5;
  game.allocation = train::Allocation::proportional;
  game.lipschitz = train::Lipschitz::gradient_penalty;
  game.penalty = 0.1;
  set_rates(options, adam(1e-3), adam(3e-3), adam(1e-2));
  game.averaging = 0.998;
  options.start = Start::spread;
  options.steps = 1200;
}

/// Table "Mixture of Gaussians with Normalized Wasserstein GAN".
void paper_points(GanOptions& options) {
  options.generator.hidden = {64, 64, 64};
  options.critic.hidden = {128, 128};
  auto& game = options.game;
  game.batch = 1024;
  game.critic_steps = 10;
  game.allocation = train::Allocation::full;
  game.lipschitz = train::Lipschitz::clipping;
  game.clip = 0.003;
  set_rates(options, rmsprop(5e-5), rmsprop(5e-5), rmsprop(0.01));
  options.steps = 10000;
}

/// Table "Mixture of Gaussians with vanilla WGAN model".
void wgan_points(GanOptions& options, Recipe recipe) {
  options.generator.kind = nn::GeneratorKind::mlp;
  options.generator.hidden = options.critic.hidden = {512, 512, 512};
  options.critic.slope = 0.0;
  auto& game = options.game;
  game.batch = 256;
  game.critic_steps = 5;
  game.lipschitz = train::Lipschitz::gradient_penalty;
  const bool best = recipe == Recipe::best;
  game.penalty = best ? 0.1 : 10.0;
  set_rates(options, adam(best ? 5e-4 : 1e-4), adam(best ? 5e-4 : 1e-4), adam(1e-4));
  game.averaging = best ? 0.99 : 0.0;
  options.steps = 2000;
}

/// The networks of WGAN without ReLU in the components.
void mgan_points(GanOptions& options, Recipe recipe) {
  options.generator.hidden = options.critic.hidden = {512, 512, 512};
  options.critic.slope = 0.0;
  auto& game = options.game;
  game.batch = 512;
  game.critic_steps = 1;
  set_rates(options, adam(2e-4, 0.5, 0.999), adam(2e-4, 0.5, 0.999), adam(2e-4, 0.5, 0.999));
  game.averaging = recipe == Recipe::best ? 0.99 : 0.0;
  options.start = recipe == Recipe::best ? Start::spread : Start::random;
  options.steps = 3000;
}

/// Table "Mixture models on imbalanced-MNIST3 dataset", and for `best` a gradient penalty and a
/// small latent space, which keep one component from holding several kinds of images.
void images(GanOptions& options, Recipe recipe) {
  const bool best = recipe == Recipe::best;
  options.generator.kind = nn::GeneratorKind::deconvolutional;
  options.critic.kind = nn::CriticKind::convolutional;
  options.generator.latent_dim = best ? 10 : 100;
  options.critic.spectral_norm = !best;
  auto& game = options.game;
  game.batch = 64;
  game.critic_steps = 5;
  game.allocation = best ? train::Allocation::equal : train::Allocation::full;
  game.lipschitz = best ? train::Lipschitz::gradient_penalty : train::Lipschitz::clipping;
  game.clip = 0.01;
  game.penalty = 10.0;
  game.diversity = options.generator.components == 1 ? 0.0 : (best ? 0.1 : 0.01);
  if (best) {
    // Batch norm sees the rows of one component at a time: a few of them say little.
    game.batch = std::max<std::int64_t>(64, 16 * options.generator.components);
    // Slow proportions: a component that is left behind early would hardly be trained any more.
    set_rates(options, adam(5e-4), adam(5e-4), adam(5e-4));
    game.averaging = 0.99;
  } else {
    set_rates(options, rmsprop(5e-5), rmsprop(1e-4), rmsprop(1e-3));
  }
  options.steps = 10000;
}

/// Appendix "CIFAR-10 + CelebA": the residual networks of Gulrajani et al. 2017 (appendix F) with
/// their hyper-parameters, proportions five times as fast as the critic.
void colour_images(GanOptions& options, Recipe recipe) {
  options.generator.kind = nn::GeneratorKind::residual;
  options.critic.kind = nn::CriticKind::residual;
  options.generator.latent_dim = 128;
  options.generator.channels = options.critic.channels = 128;
  options.critic.slope = 0.0;
  auto& game = options.game;
  game.batch = 64;
  game.critic_steps = 5;
  game.allocation = recipe == Recipe::best ? train::Allocation::equal : train::Allocation::full;
  game.lipschitz = train::Lipschitz::gradient_penalty;
  game.penalty = 10.0;
  set_rates(options, adam(2e-4), adam(2e-4), adam(1e-3));
  if (recipe == Recipe::best) {
    // Batch norm sees the rows of one component at a time: a few of them say little.
    game.batch = std::max<std::int64_t>(64, 16 * options.generator.components);
    game.averaging = 0.999;
  }
  options.steps = 100000;
}

}  // namespace

const char* to_string(GanMethod method) {
  switch (method) {
    case GanMethod::nwgan:
      return "nwgan";
    case GanMethod::wgan:
      return "wgan";
    case GanMethod::mgan:
      return "mgan";
  }
  return "unknown";
}

const char* to_string(Recipe recipe) {
  return recipe == Recipe::best ? "best" : "paper";
}

const char* to_string(Start start) {
  return start == Start::spread ? "spread" : "random";
}

void GanOptions::validate() const {
  require_fields_in_range("GanOptions", *this);
  require(method != GanMethod::wgan || generator.components == 1,
          "WGAN has a single component, got ", generator.components);
  require(generator.data_dim == critic.data_dim, "GanOptions: components make rows of ",
          generator.data_dim, " values, the critic takes ", critic.data_dim);
  generator.validate();
  critic.validate();
  game.validate();
}

GanOptions residual_options(Recipe recipe, std::int64_t components, const nn::ImageSize& image) {
  GanOptions options;
  options.generator.components = components;
  options.generator.data_dim = options.critic.data_dim = image.count();
  options.generator.image = options.critic.image = image;
  colour_images(options, recipe);
  return options;
}

GanOptions recipe_options(Recipe recipe, GanMethod method, std::int64_t components,
                          const Normalisation& data) {
  GanOptions options;
  options.method = method;
  options.generator.components = method == GanMethod::wgan ? 1 : components;
  options.generator.data_dim = options.critic.data_dim = data.network_dim();
  options.generator.image = options.critic.image = data.padded;
  options.fixed_pi = method != GanMethod::nwgan;
  if (data.is_image()) {
    images(options, recipe);
    return options;
  }
  options.generator.latent_dim = data.network_dim();
  switch (method) {
    case GanMethod::nwgan:
      recipe == Recipe::best ? best_points(options) : paper_points(options);
      break;
    case GanMethod::wgan:
      wgan_points(options, recipe);
      break;
    case GanMethod::mgan:
      mgan_points(options, recipe);
      break;
  }
  return options;
}

GanOptions cluster_options(Recipe recipe, std::int64_t components, const Normalisation& data) {
  auto options = recipe_options(recipe, GanMethod::nwgan, components, data);
  auto& game = options.game;
  if (components == 1) return options;
  if (data.is_image()) {
    if (recipe == Recipe::best) {
      game.diversity = 0.1;
      // Batch norm sees the rows of one component at a time: a few of them say little.
      game.batch = std::max<std::int64_t>(game.batch, 128);
    }
    return options;
  }
  game.diversity = 0.01;
  if (recipe == Recipe::best) {
    // Clusters need their places and sizes, not the last digit of their shapes.
    game.batch = 512;
    options.steps = 600;
  }
  return options;
}

}  // namespace nw::gan
