// How a classifier is adapted from a labelled source to an unlabelled target.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "nw/adapt/adapt_method.hpp"
#include "nw/adapt/domain.hpp"
#include "nw/base/team.hpp"
#include "nw/nn/classifier.hpp"
#include "nw/nn/critic.hpp"
#include "nw/nn/feature_network.hpp"
#include "nw/train/mixture_game.hpp"
#include "nw/train/optimizer.hpp"
#include "nw/train/schedule.hpp"

namespace nw::adapt {

/// Everything that decides how a classifier is trained.
struct AdaptOptions {
  AdaptMethod method = AdaptMethod::nw;
  nn::FeatureOptions features = {};
  nn::ClassifierOptions classifier = {};
  nn::CriticOptions critic = {};

  /// Target rows in a step. Positive.
  std::int64_t target_batch = 256;
  /// Source rows of each class in a step. Positive.
  std::int64_t class_batch = 64;
  /// Further source rows, drawn as they come, that the classifier learns from; 0 lets it learn from
  /// the rows by class, which makes it one for equal proportions.
  std::int64_t natural_batch = 0;
  /// Critic steps in a step, all on the same features. Positive.
  std::int64_t critic_steps = 5;
  /// Steps from one in which features learn from the critic to the next. Positive.
  std::int64_t feature_every = 1;
  train::Lipschitz lipschitz = train::Lipschitz::gradient_penalty;
  double clip = 0.01;     ///< positive
  double penalty = 10.0;  ///< positive
  /// Weight of the distance against the classification loss: nothing for `warm_up` steps, in which
  /// features learn to tell the source's classes, then rising over `ramp` steps. Domains that are
  /// aligned before classes are apart end up with the wrong ones on top of each other.
  double lambda = 1.0;
  std::int64_t warm_up = 200;
  std::int64_t ramp = 500;
  /// Steps before pi begins to move from uniform, and before proportions are estimated from
  /// confusions. A critic that has not learnt enough yet would send pi to a vertex.
  std::int64_t pi_hold = 0;
  /// Pi moves in the steps in which features learn from the critic, and not in every step: both
  /// minimise what the critic maximises.
  bool pi_with_features = false;
  /// sDANN: densities of the target may exceed the source's by a factor 1 + beta. Not negative.
  double relaxation = 4.0;
  /// DeepJDOT: weight of squared distances between features beside the cross-entropy. Not negative.
  double transport_alpha = 1.0;
  /// IWDAN and BBSE: steps between two estimates of the proportions. Positive.
  std::int64_t weight_every = 50;
  /// Images that are larger than the network's input are cut at a random place, and not in the
  /// middle. Where one domain is larger and the other is not, its digits move and the other's do
  /// not, which is one difference more to be aligned.
  bool random_windows = false;
  /// Images of both domains are shifted at random by up to this many pixels. Not negative.
  std::int64_t shift = 0;
  /// Images of the source get another contrast in every channel: values in [-1, 1] are multiplied
  /// by a factor from +-[1 - jitter, 1] and moved within what that leaves of the range. In [0, 1).
  double jitter = 0.0;
  /// Images come in two views, one hardly changed and one strongly; the classifier learns from both
  /// and the critic compares the former. For images and a single process.
  bool views = false;
  /// Steps between two estimates of pi by the proportions under which the averaged classifier's
  /// posteriors on the target are likeliest; they replace what the critic would teach it. 0: pi is
  /// learnt.
  std::int64_t likely_every = 0;
  /// Weight of the classification loss of target rows under the classes that the classifier itself
  /// gives them, brought to the proportions pi, where it is sure: nothing before the share
  /// `self_from` of the steps, then rising over the share `self_ramp`. Needs views: what the
  /// slightly changed image is taken for, the strongly changed one must be taken for too.
  double self_weight = 0.0;
  double self_from = 0.4;
  /// The slightly changed image learns its own class too, and not the strongly changed one alone.
  bool self_both = true;
  double self_ramp = 0.15;
  /// Strongly changed rows of a table are moved towards another row by a random share up to this,
  /// and keep their class. In [0, 1).
  double mixup = 0.0;
  /// Of features: `backbone_optimizer` moves what was trained elsewhere, `feature_optimizer` the
  /// rest.
  train::OptimizerOptions backbone_optimizer = {}, feature_optimizer = {},
                          classifier_optimizer = {}, critic_optimizer = {}, pi_optimizer = {};
  train::Schedule schedule = {};
  /// Weight of past values in the averages of networks and pi that predictions come from; 0 takes
  /// the last values. In [0, 1).
  double averaging = 0.0;
  /// On a GPU, record a step as a graph and replay it, which saves the launches.
  bool record_steps = true;
  std::int64_t steps = 4000;
  /// Processes that share the rows of every step; the result is that of one process up to the
  /// rounding of sums. Null: this one alone.
  Team* team = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
  /// Calls visit(OptionField, member) for each field; defined in adapt_fields.hpp.
  template <typename Visit>
  void for_each_field(Visit&& visit);
};

/// What a recipe must know of the data.
struct RecipeData {
  std::int64_t classes = 0;
  InputForm form = {};
  std::int64_t target_rows = 0;
  /// Of a network that images go through.
  std::shared_ptr<const nn::NamedTensors> weights = nullptr;
  /// lenet or small for images; nothing: the recipe's own.
  std::optional<nn::FeatureKind> network = {};
};

/// The one place where recipes are written down. With weights, images go through the network they
/// belong to, which is fine-tuned (`paper`: the table for VISDA). Throws InvalidArgument when they
/// belong to no network known here.
[[nodiscard]] AdaptOptions recipe_options(Recipe recipe, AdaptMethod method,
                                          const RecipeData& data);

/// The same training without the target.
[[nodiscard]] AdaptOptions without_adaptation(AdaptOptions options);

/// Sets the input lengths of classifier and critic to that of `options.features`, for when that was
/// changed. Throws InvalidArgument.
void fit_to_features(AdaptOptions& options);

}  // namespace nw::adapt
