#include "nw/base/error.hpp"
#include "nw/train/mixture_game.hpp"

namespace nw::train {

const char* to_string(Lipschitz control) {
  switch (control) {
    case Lipschitz::clipping:
      return "clipping";
    case Lipschitz::gradient_penalty:
      return "gradient-penalty";
    case Lipschitz::spectral_norm:
      return "spectral-norm";
  }
  return "unknown";
}

void MixtureGameOptions::validate() const {
  const auto positive = [](auto value, const char* field) {
    require(value > 0, "MixtureGameOptions.", field, " must be positive, got ", value);
  };
  positive(batch, "batch");
  positive(critic_steps, "critic_steps");
  positive(floor, "floor");
  positive(clip, "clip");
  positive(penalty, "penalty");
  require(penalty_rows >= 0 && penalty_rows <= batch,
          "MixtureGameOptions.penalty_rows must lie in [0, batch], got ", penalty_rows);
  require(averaging >= 0.0 && averaging < 1.0,
          "MixtureGameOptions.averaging must lie in [0, 1), got ", averaging);
  require(diversity >= 0.0, "MixtureGameOptions.diversity must not be negative, got ", diversity);
  critic.validate();
  generator.validate();
  proportions.validate();
  schedule.validate();
}

}  // namespace nw::train
