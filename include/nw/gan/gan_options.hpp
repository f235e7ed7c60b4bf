// Which mixture GAN to train, with which networks and rates.
#pragma once

#include <cstdint>
#include <string>

#include "nw/gan/gan_kinds.hpp"
#include "nw/gan/normalisation.hpp"
#include "nw/nn/critic.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/train/mixture_game.hpp"

namespace nw::gan {

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
  /// Calls visit(OptionField, member) for each field, those of the game among them; defined in
  /// gan_fields.hpp.
  template <typename Visit>
  void for_each_field(Visit&& visit);
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
