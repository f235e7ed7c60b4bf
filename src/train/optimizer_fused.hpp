// Private: the elementwise part of an optimiser's step in one launch.
#pragma once

#include "nw/train/optimizer.hpp"

namespace nw::train {

/// What a step reads and writes; `first` and the powers belong to Adam alone.
struct FusedStep {
  torch::Tensor parameters, gradient, rate, second, first, power1, power2;
};

/// Does the step and returns true where a GPU and its compiler are at hand.
bool fused_step(const OptimizerOptions& options, const FusedStep& step);

}  // namespace nw::train
