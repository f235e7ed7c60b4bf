// Recipes. `paper` follows the table "Domain adaptation for MNIST -> MNIST-M experiments" of
// Balaji, Chellappa and Feizi 2019. What the table leaves open follows the authors' published
// program: Adam with beta1 = 0.5, dropout of a half after the second convolution and in the
// classifier, features that see the critic in every tenth step, DANN in every step and without
// clipping. Where table and program differ, the critic of Wasserstein methods is the program's; pi
// moves as the paper's min-max has it. With a backbone it follows the table "Domain adaptation on
// VISDA dataset"; what that leaves open is as for digits, without dropout.
//
// `best` keeps the measure and the LeNet and gives it a critic that is trained to a distance. It is
// the same for every method: what a method has no use for is left out, nothing is tuned for one.
#include <algorithm>
#include <cmath>

#include "nw/adapt/adapt_fields.hpp"
#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

using train::OptimizerOptions;
using Widths = std::vector<std::int64_t>;

OptimizerOptions adam(double rate, double beta1, double beta2 = 0.999) {
  return {
      .kind = train::OptimizerKind::adam, .learning_rate = rate, .beta1 = beta1, .beta2 = beta2};
}

void set_rates(AdaptOptions& options, const OptimizerOptions& networks,
               const OptimizerOptions& critic, const OptimizerOptions& pi) {
  options.feature_optimizer = options.classifier_optimizer = networks;
  options.critic_optimizer = critic;
  options.pi_optimizer = pi;
}

/// Images of pairs that nothing is known about: what was found on digits that differ in hand,
/// camera and ground (docs/adapt.md).
void robust(AdaptOptions& options) {
  options.features.kind = nn::FeatureKind::small;
  options.features.hidden = {64, 128, 256, 128};
  options.features.dropout = 0.1;
  options.features.unit_length = true;
  options.jitter = 0.0;
  options.views = true;
  options.classifier.hidden = {};
  options.critic.hidden = {256, 128};
  options.critic.slope = 0.2;
  options.class_batch = std::clamp<std::int64_t>(130 / options.classifier.classes, 2, 64);
  options.target_batch = 128;
  options.natural_batch = 0;
  options.critic_steps = 3;
  options.feature_every = 1;
  options.lipschitz = train::Lipschitz::gradient_penalty;
  options.penalty = 10.0;
  // A stronger pull, or self-training of the slight view too, costs more on street numbers than it
  // gains anywhere (docs/measurements/adapt_measured.md).
  options.lambda = 0.2;
  options.self_both = false;
  options.steps = 4000;
  options.warm_up = 400;
  options.ramp = 1200;
  options.pi_hold = 300;
  options.likely_every = 100;
  options.self_weight = 1.0;
  set_rates(options, adam(1e-3, 0.9), adam(5e-4, 0.5, 0.9), adam(5e-3, 0.9));
  // Features have unit length: only weights of some size tell their classes apart, and get there by
  // larger steps.
  options.classifier_optimizer = adam(8e-3, 0.9);
  options.schedule = {.decay = train::Decay::cosine, .hold = 0.0, .last = 0.001};
  options.averaging = 0.995;
}

/// Columns from which on a table is taken for features of a network.
constexpr std::int64_t kWideTable = 64;

void paper(AdaptOptions& options, std::int64_t target_rows) {
  constexpr std::int64_t kPasses = 60;
  options.features.dropout = options.features.kind == nn::FeatureKind::lenet ? 0.5 : 0.0;
  options.classifier.dropout = 0.5;
  options.critic.slope = 0.0;
  options.target_batch = options.class_batch = options.natural_batch = 128;
  options.random_windows = true;
  options.critic_steps = 1;
  options.feature_every = is_logistic(options.method) || couples_rows(options.method) ? 1 : 10;
  // In every step, as in the program, pi of one class runs away on some seeds.
  options.pi_with_features = true;
  options.lipschitz = train::Lipschitz::clipping;
  options.clip = 0.01;
  options.lambda = 1.0;
  options.warm_up = options.ramp = options.pi_hold = 0;
  set_rates(options, adam(2e-4, 0.5), adam(2e-4, 0.5), adam(5e-4, 0.5));
  options.averaging = 0.0;
  options.steps = std::max<std::int64_t>(1000, kPasses * target_rows / options.target_batch);
}

void best(AdaptOptions& options) {
  options.features.unit_length = true;
  options.critic.slope = 0.2;
  options.class_batch = std::clamp<std::int64_t>(640 / options.classifier.classes, 8, 64);
  options.target_batch = 256;
  options.natural_batch = 0;
  options.critic_steps = 5;
  options.feature_every = 1;
  options.lipschitz = train::Lipschitz::gradient_penalty;
  options.penalty = 10.0;
  options.lambda = 1.0;
  // pi must be about right before features follow the critic: under uniform proportions they would
  // be sent to the wrong classes, as they are without any. So pi moves fast, and first. Nothing
  // holds it back: equal proportions mixed in made it overshoot to a vertex, from which it
  // recovered late.
  options.warm_up = 200;
  options.ramp = 500;
  options.pi_hold = 50;
  set_rates(options, adam(5e-4, 0.9), adam(1e-3, 0.9), adam(5e-3, 0.9));
  options.schedule = {.decay = train::Decay::cosine, .hold = 0.5, .last = 0.05};
  options.averaging = 0.995;
  options.steps = 3000;
}

/// What comes after the features of a table's rows.
void after_table_features(AdaptOptions& options) {
  options.classifier.hidden = {32};
  options.critic.hidden = {64, 64};
}

void best_for_tables(AdaptOptions& options) {
  options.steps = 1500;
  options.warm_up = 150;
  options.ramp = 200;
  options.feature_optimizer = options.classifier_optimizer = adam(3e-4, 0.9);
  options.pi_optimizer = adam(2e-3, 0.9);
}

/// Columns that another network made, hundreds of them on hundreds of rows mostly: what is learnt
/// there must be held back, or every seed matches the classes in its own way (docs/backbones.md).
void best_for_wide_tables(AdaptOptions& options, nn::FeatureNorm norm) {
  options.features.hidden = {64, 32};
  options.features.dropout = 0.5;
  // Such columns lie as far apart between domains as pixels do.
  options.features.norm = norm;
  // Rows with noise and with columns missing are of the same class.
  options.views = true;
  if (!teaches_itself(options.method)) return;
  options.self_weight = 1.0;
  options.likely_every = 100;
}

/// A network that was trained on millions of images moves slowly, lest it forget.
void tune_backbone(AdaptOptions& options, Recipe recipe) {
  options.classifier.dropout = 0.0;
  options.critic.slope = 0.2;
  if (recipe == Recipe::paper) {
    options.classifier.hidden = {};
    options.critic.hidden = {512, 512, 512};
    set_rates(options, adam(1e-5, 0.5), adam(1e-5, 0.5), adam(1e-4, 0.5));
    options.backbone_optimizer = adam(1e-6, 0.5);
    return;
  }
  // One new layer: the network before it is nonlinear enough. A step costs hundreds of LeNet's: few
  // images, fewer steps.
  options.features.head = {32};
  after_table_features(options);
  best_for_tables(options);
  options.backbone_optimizer = adam(1e-5, 0.9);
  options.class_batch = std::clamp<std::int64_t>(48 / options.classifier.classes, 4, 16);
  options.target_batch = 48;
  options.steps = 1000;
  options.averaging = 0.98;
}

/// Another network for images than the recipe's.
void change_network(AdaptOptions& options, nn::FeatureKind kind, bool best_recipe) {
  auto& features = options.features;
  require(features.kind == nn::FeatureKind::lenet || features.kind == nn::FeatureKind::small,
          "recipe_options: another network needs images, and no weights of one");
  require(best_recipe || kind == nn::FeatureKind::lenet,
          "recipe_options: recipe paper has the paper's network, LeNet");
  if (features.kind == kind) return;
  features.kind = kind;
  // On a processor a step with such widths costs about what LeNet's costs.
  features.hidden = kind == nn::FeatureKind::lenet ? Widths{32, 48} : Widths{16, 32, 64, 64};
  features.dropout = 0.0;
}

}  // namespace

bool sees_target(AdaptMethod method) {
  return method != AdaptMethod::source_only && method != AdaptMethod::bbse;
}

bool has_critic(AdaptMethod method) {
  return sees_target(method) && !teaches_itself(method) && !couples_rows(method);
}

bool couples_rows(AdaptMethod method) {
  return method == AdaptMethod::deepjdot || method == AdaptMethod::deepjdot_pi;
}

bool learns_pi(AdaptMethod method) {
  return method == AdaptMethod::nw || method == AdaptMethod::deepjdot_pi;
}

bool teaches_itself(AdaptMethod method) {
  return method == AdaptMethod::self_training || method == AdaptMethod::fixmatch ||
         method == AdaptMethod::mcc;
}

bool is_logistic(AdaptMethod method) {
  return method == AdaptMethod::dann || method == AdaptMethod::iwdan ||
         method == AdaptMethod::sdann;
}

bool estimates_weights(AdaptMethod method) {
  return method == AdaptMethod::iwdan || method == AdaptMethod::bbse;
}

void AdaptOptions::validate() const {
  require_fields_in_range("AdaptOptions", *this);
  require(method != AdaptMethod::automatic,
          "AdaptOptions.method: a game has one method; the application tries several");
  require(features.norm != nn::FeatureNorm::by_domain || sees_target(method),
          "AdaptOptions.features: ", to_string(method),
          " never sees the target, which has no moments of its own then");
  require(lipschitz != train::Lipschitz::spectral_norm || critic.spectral_norm,
          "AdaptOptions.critic must have spectral norm where lipschitz asks for it");
  features.validate();
  classifier.validate();
  critic.validate();
  require(!views || features.kind != nn::FeatureKind::backbone,
          "AdaptOptions.views: a network that is fine-tuned has none");
  require(!views || (natural_batch == 0 && team == nullptr),
          "AdaptOptions.views: neither natural batches nor several processes go with them");
  require(!couples_rows(method) || team == nullptr,
          "AdaptOptions.method: several processes cannot share the plans of ", to_string(method));
  require(views || self_weight == 0.0,
          "AdaptOptions.self_weight needs two views of every image, as recipe robust has");
  require(!teaches_itself(method) || self_weight > 0.0, "AdaptOptions.self_weight: method ",
          to_string(method), " needs images and recipe robust, or a table of ", kWideTable,
          " columns or more");
  schedule.validate();
  for (const auto* optimizer : {&backbone_optimizer, &feature_optimizer, &classifier_optimizer,
                                &critic_optimizer, &pi_optimizer}) {
    optimizer->validate();
  }
}

AdaptOptions recipe_options(Recipe recipe, AdaptMethod method, const RecipeData& data) {
  const auto& [classes, form, target_rows, weights, network] = data;
  require(recipe != Recipe::automatic && method != AdaptMethod::automatic,
          "recipe_options: recipe and method must be decided");
  AdaptOptions options;
  options.method = method;
  options.classifier.classes = classes;
  const bool tuned = weights != nullptr;
  const bool views = recipe == Recipe::robust && form.is_image() && !tuned;
  const bool best_recipe = recipe != Recipe::paper;
  // Batch norms take away what is only a domain's own mean and scale. A method that never sees the
  // target has the source's moments only.
  const auto norm = !best_recipe          ? nn::FeatureNorm::none
                    : sees_target(method) ? nn::FeatureNorm::by_domain
                                          : nn::FeatureNorm::joint;
  require(!tuned || form.is_image(), "recipe_options: weights of a network for images need images");
  if (form.is_image()) {
    options.features.kind = tuned ? nn::FeatureKind::backbone : nn::FeatureKind::lenet;
    if (tuned) {
      options.features.backbone = nn::backbone_options(*weights);
      options.features.backbone.classes = 0;
      options.features.weights = weights;
    }
    options.features.image = form.image;
    options.features.hidden = {32, 48};
    options.features.norm = norm;
    options.jitter = best_recipe && !tuned ? 0.8 : 0.0;
    options.classifier.hidden = {100, 100};
    options.critic.hidden = best_recipe           ? Widths{512, 256}
                            : is_logistic(method) ? Widths{100}
                                                  : Widths{256, 100};
  } else {
    options.features.kind = nn::FeatureKind::mlp;
    options.features.data_dim = form.dim();
    options.features.hidden = {64, 64, 32};
    after_table_features(options);
  }
  best_recipe ? best(options) : paper(options, target_rows);
  if (!form.is_image() && best_recipe) {
    best_for_tables(options);
    if (form.dim() >= kWideTable) best_for_wide_tables(options, norm);
  }
  if (tuned) tune_backbone(options, recipe);
  if (views) robust(options);
  if (network) change_network(options, *network, best_recipe);
  fit_to_features(options);
  options.validate();
  return options;
}

AdaptOptions without_adaptation(AdaptOptions options) {
  options.method = AdaptMethod::source_only;
  if (options.features.norm == nn::FeatureNorm::by_domain) {
    options.features.norm = nn::FeatureNorm::joint;  // the target's moments are never seen
  }
  return options;
}

void fit_to_features(AdaptOptions& options) {
  // A network tells how long features are.
  options.classifier.feature_dim = options.critic.data_dim =
      nn::make_feature_network(options.features, Rng(0))->feature_dim();
}

}  // namespace nw::adapt
