// What config.json says of an optimiser.
#pragma once

#include <nlohmann/json.hpp>

#include "nw/train/optimizer.hpp"

#include "io/json_value.hpp"

namespace nw::app {

[[nodiscard]] inline Json optimizer_json(const train::OptimizerOptions& o) {
  return {{"kind", to_string(o.kind)},
          {"rate", o.learning_rate},
          {"beta1", o.beta1},
          {"beta2", o.beta2}};
}

}  // namespace nw::app
