// How critics are kept near the 1-Lipschitz functions.
#pragma once

#include <array>

#include "nw/base/option_field.hpp"

namespace nw::train {

enum class Lipschitz { clipping, gradient_penalty, spectral_norm };

constexpr auto choices(Lipschitz) {
  return std::array{Choice{"clipping", Lipschitz::clipping},
                    Choice{"gradient-penalty", Lipschitz::gradient_penalty},
                    Choice{"spectral-norm", Lipschitz::spectral_norm}};
}

[[nodiscard]] const char* to_string(Lipschitz control);

}  // namespace nw::train
