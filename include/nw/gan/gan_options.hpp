// Which mixture GAN to train, with which networks and rates.
#pragma once

#include <cstdint>
#include <string>

#include "nw/gan/normalisation.hpp"
#include "nw/nn/critic.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/train/mixture_game.hpp"

namespace nw::gan {

/// `nwgan`: k components and their proportions [NW:nwgan]. `wgan`: one network. `mgan`: k
/// components in equal proportions with a classifier that tells them apart (Hoang et al. 2018).
enum class GanMethod { nwgan, wgan, mgan };

/// `paper`: networks, rates and batches of the paper's tables. `best`: what we found to work best.
enum class Recipe { best, paper };

/// Where components begin: at random weights, or each at a row of the data, chosen far apart by
/// k-means++.
enum class Start { random, spread };

[[nodiscard]] const char* to_string(GanMethod method);
[[nodiscard]] const char* to_string(Recipe recipe);
[[nodiscard]] const char* to_string(Start start);

/// Everything that decides how a GAN is trained.
struct GanOptions {
  GanMethod method = GanMethod::nwgan;
  nn::MixtureGeneratorOptions generator = {};
  nn::CriticOptions critic = {};
  /// MGAN plays another game with the batch, optimisers and schedule given here.
  train::MixtureGameOptions game = {};
  bool fixed_pi = false;  ///< hold pi at 1/k
  Start start = Start::random;
  /// `spread`: deviation of a component at the start. Positive.
  double start_scale = 0.1;
  /// MGAN: weight of the classifier's loss, beta of Hoang et al. Not negative.
  double classifier_weight = 0.125;
  std::int64_t steps = 1200;  ///< generator steps. Positive.

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// The one place where recipes are written down. `components` is ignored by WGAN.
[[nodiscard]] GanOptions recipe_options(Recipe recipe, GanMethod method, std::int64_t components,
                                        const Normalisation& data);

/// The recipe for clusters: NWGAN with the reward lambda_reg R for components that lie apart
/// [NW:reg], for every recipe.
[[nodiscard]] GanOptions cluster_options(Recipe recipe, std::int64_t components,
                                         const Normalisation& data);

/// NWGAN on colour images with the residual networks of WGAN-GP, as the paper trains it on CIFAR-10
/// and CelebA. Large: made for a GPU.
[[nodiscard]] GanOptions residual_options(Recipe recipe, std::int64_t components,
                                          const nn::ImageSize& image);

}  // namespace nw::gan
