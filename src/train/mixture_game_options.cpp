#include "nw/train/mixture_game_fields.hpp"

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
  require_fields_in_range("MixtureGameOptions", *this);
  critic.validate();
  generator.validate();
  proportions.validate();
  schedule.validate();
}

}  // namespace nw::train
