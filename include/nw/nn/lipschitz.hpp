// Keeping a critic near the 1-Lipschitz functions.
#pragma once

#include <torch/types.h>

#include "nw/nn/critic.hpp"

namespace nw::nn {

/// coefficient * mean_i (|grad D(x_i)| - 1)^2: [], differentiable in the critic's parameters
/// (Gulrajani et al. 2017, equation 3). `points` is [n, data_dim].
[[nodiscard]] torch::Tensor gradient_penalty(const Critic& critic, const torch::Tensor& points,
                                             double coefficient);

/// t x_i + (1 - t) y_i with one t uniform in [0, 1) per row: where the penalty is taken. `x` and
/// `y` are [n, d], `t` is [n].
[[nodiscard]] torch::Tensor interpolate(const torch::Tensor& x, const torch::Tensor& y,
                                        const torch::Tensor& t);

/// Clamps every parameter to [-bound, bound] (Arjovsky et al. 2017, Algorithm 1).
void clip_parameters(ParameterSet& parameters, double bound);

}  // namespace nw::nn
