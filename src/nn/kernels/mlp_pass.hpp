// Private: value and gradients of a multilayer perceptron with one output, in blocks of rows.
#pragma once

#include <optional>
#include <vector>

#include <torch/types.h>

#include "nw/nn/critic.hpp"

namespace nw::nn {

/// A perceptron x -> W_L leaky(... leaky(W_1 x + b_1) ...) + b_L with leaky ReLU between layers.
struct MlpView {
  std::vector<torch::Tensor> weights;  ///< W_l: [out, in], the last one [1, in]
  std::vector<torch::Tensor> biases;   ///< b_l: [out]
  double slope = 0.2;
};

/// Where the flat gradient of each W_l and b_l begins.
struct MlpLayout {
  std::vector<std::int64_t> weight_offset, bias_offset;
  std::int64_t count = 0;
};

/// Both passes by hand on the CPU. Leaky ReLU is linear on either side of zero, so the second
/// derivative that the gradient penalty asks for only involves the masks of the forward pass.
[[nodiscard]] ParameterGradient mlp_parameter_gradient(const MlpView& mlp, const MlpLayout& layout,
                                                       const WeightedBatch& batch,
                                                       const std::optional<PenaltyBatch>& penalty);
[[nodiscard]] PointGradient mlp_point_gradient(const MlpView& mlp, const WeightedBatch& batch);

/// The same as whole-batch tensor operations, for devices that prefer few large ones.
[[nodiscard]] ParameterGradient mlp_parameter_gradient_whole(
    const MlpView& mlp, const MlpLayout& layout, const WeightedBatch& batch,
    const std::optional<PenaltyBatch>& penalty);
/// The objective's part in two launches, for the networks and GPUs that mlp_kernels.cu is made for;
/// nothing elsewhere.
[[nodiscard]] std::optional<ParameterGradient> mlp_parameter_gradient_fused(
    const MlpView& mlp, const MlpLayout& layout, const WeightedBatch& batch);
[[nodiscard]] PointGradient mlp_point_gradient_whole(const MlpView& mlp,
                                                     const WeightedBatch& batch);

}  // namespace nw::nn
