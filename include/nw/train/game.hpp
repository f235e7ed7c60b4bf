// What every adversarial game offers to the loop that trains it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/mixture_generator.hpp"

namespace nw::train {

/// What one step of a game did. Tensors, so that a step on a GPU need not wait for its numbers.
struct StepValues {
  std::vector<std::pair<std::string, torch::Tensor>> values;  ///< each []
};

/// A tensor that changes during training, by name. Written in place when a run is resumed.
using NamedTensor = std::pair<std::string, torch::Tensor>;

/// A game played in steps. A step depends on the state and on its number alone.
class Game {
 public:
  virtual ~Game() = default;
  /// Step number `step` (from 0) of `steps`. `rate` scales all learning rates.
  virtual StepValues step(std::int64_t step, std::int64_t steps, double rate) = 0;
  /// Everything that a checkpoint must hold, in a fixed order.
  [[nodiscard]] virtual std::vector<NamedTensor> state() const = 0;
  /// The proportions of each data set's mixture.
  [[nodiscard]] virtual std::vector<std::vector<double>> proportions() const = 0;
  /// `count` independent rows of the mixture learnt for data set `side`, and the component of each.
  [[nodiscard]] virtual nn::MixtureDraw sample(std::int64_t count, std::size_t side,
                                               const Rng& rng) const = 0;
};

}  // namespace nw::train
