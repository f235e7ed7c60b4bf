// Recipes of the denoising task. `paper` is the table "Domain adaptation for image denoising
// experiment" of the appendix of Balaji, Chellappa and Feizi 2019; how `best` was chosen without a
// look at clean target rows is described in docs/denoise.md.
#include "nw/adapt/denoise_fields.hpp"
#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

using train::Lipschitz;
using train::OptimizerKind;

train::OptimizerOptions adam(double rate, double beta1 = 0.9, double beta2 = 0.999) {
  return {.kind = OptimizerKind::adam, .learning_rate = rate, .beta1 = beta1, .beta2 = beta2};
}

void paper(DenoiseOptions& options) {
  options.form = DistanceForm::dual;
  options.network.channels = 64;
  options.network.hidden = {128, 128};
  options.component_hidden = {128, 128};
  // The domain discriminator that Wasserstein uses is half as wide as the two of W_N.
  const bool plain = options.method == DenoiseMethod::wasserstein;
  options.critic_hidden =
      plain ? std::vector<std::int64_t>{64, 64} : std::vector<std::int64_t>{128, 128};
  auto& game = options.game;
  game.batch = 128;
  game.critic_steps = 5;
  game.allocation = train::Allocation::full;
  game.lipschitz = Lipschitz::clipping;
  game.clip = 0.01;
  game.critic = game.generator = adam(2e-4);
  game.proportions = adam(5e-4);
  options.encoder = options.decoder = adam(2e-4);
  options.weight = 1.0;
  options.initial_steps = 5000;
  options.steps = 10000;
}

void best(DenoiseOptions& options) {
  options.form = DistanceForm::primal;
  options.network.channels = 8;
  options.network.hidden = {128, 128};
  auto& game = options.game;
  game.batch = 64;
  game.generator = adam(0.01, 0.0, 0.9);
  game.proportions = adam(0.02, 0.0, 0.9);
  game.averaging = 0.98;
  game.schedule = {.decay = train::Decay::cosine, .hold = 0.6, .last = 0.05};
  options.encoder = options.decoder = adam(2e-3);
  options.weight = 0.3;
  options.components_from = 100;
  options.initial_steps = 200;
  options.ramp_steps = 100;
  options.averaging = 0.98;
  options.steps = 1000;
}

}  // namespace

const char* to_string(DistanceForm form) {
  return form == DistanceForm::dual ? "dual" : "primal";
}

void DenoiseOptions::set_steps(std::int64_t to) {
  const double share = static_cast<double>(to) / static_cast<double>(steps);
  for (auto* phase : {&initial_steps, &components_from, &ramp_steps}) {
    *phase = static_cast<std::int64_t>(share * static_cast<double>(*phase));
  }
  steps = to;
}

void DenoiseOptions::validate() const {
  require_fields_in_range("DenoiseOptions", *this);
  require(components_from <= initial_steps,
          "DenoiseOptions.components_from must lie in [0, initial_steps], got ", components_from);
  require(game.lipschitz != Lipschitz::spectral_norm,
          "DenoiseOptions: critics of embeddings are clipped or penalised");
  network.validate();
  game.validate();
  encoder.validate();
  decoder.validate();
}

DenoiseOptions denoise_recipe(DenoiseRecipe recipe, DenoiseMethod method,
                              AutoencoderOptions network) {
  DenoiseOptions options;
  options.method = method;
  options.network = std::move(network);
  recipe == DenoiseRecipe::paper ? paper(options) : best(options);
  return options;
}

}  // namespace nw::adapt
