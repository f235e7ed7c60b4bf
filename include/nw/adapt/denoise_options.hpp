// What the denoising game is made of, and the recipes.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/adapt/denoise_method.hpp"
#include "nw/adapt/denoise_networks.hpp"
#include "nw/train/mixture_game.hpp"

namespace nw::adapt {

/// How distances between embeddings are computed: by critics [NW:dual], as in the paper, or by
/// optimal plans between the embeddings of a batch.
enum class DistanceForm { dual, primal };

[[nodiscard]] const char* to_string(DistanceForm form);

/// Knobs of the game. denoise_recipe() sets all of them.
struct DenoiseOptions {
  DenoiseMethod method = DenoiseMethod::nw;
  DistanceForm form = DistanceForm::dual;
  AutoencoderOptions network = {};
  /// k of W_N: how many kinds of rows there are. Positive.
  std::int64_t components = 2;
  /// Widths between noise and embedding in a component, which stays affine. Each positive.
  std::vector<std::int64_t> component_hidden = {};
  /// Dual: widths of the critics, of each side under `nw`, of the only one under `wasserstein`.
  std::vector<std::int64_t> critic_hidden = {128, 128};
  /// Slope of the critics' leaky ReLU below zero. In [0, 1).
  double critic_slope = 0.0;
  /// Batch, critic steps, Lipschitz control, and how critics, components and proportions learn;
  /// under `primal` what concerns critics has no meaning, and every component has a batch of atoms.
  train::MixtureGameOptions game = {};
  train::OptimizerOptions encoder = {}, decoder = {};
  /// lambda: weight of the distance beside the mean squared error of a pixel. Under `primal` in
  /// units of the source: its variance over the spread of its embeddings. Not negative.
  double weight = 1.0;
  /// Steps at the start during which lambda is zero. Not negative.
  std::int64_t initial_steps = 5000;
  /// Steps before critics and components begin to learn, at most initial_steps; then components
  /// are placed at source embeddings that lie far apart. 0: at random, from the first step on.
  std::int64_t components_from = 0;
  /// Steps over which lambda rises from zero after that. Not negative.
  std::int64_t ramp_steps = 0;
  /// Dual: whether critics see the embeddings of the step's own batch, instead of a new one each
  /// time, which costs a pass of the encoder.
  bool one_batch = false;
  /// Weight of past values in the average of encoder and decoder that denoises; 0 takes the last
  /// ones. In [0, 1).
  double averaging = 0.0;
  std::int64_t steps = 10000;

  /// Sets the number of steps; the phases of the run keep their shares of it.
  void set_steps(std::int64_t to);
  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
  /// Calls visit(OptionField, member) for each field; defined in denoise_fields.hpp.
  template <typename Visit>
  void for_each_field(Visit&& visit);
};

/// `paper`: the table "Domain adaptation for image denoising experiment" of the appendix. `best`:
/// ours. `network` says what the data look like; its widths are set by the recipe.
[[nodiscard]] DenoiseOptions denoise_recipe(DenoiseRecipe recipe, DenoiseMethod method,
                                            AutoencoderOptions network);

}  // namespace nw::adapt
