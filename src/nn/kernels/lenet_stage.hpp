// Private: one stage of LeNet without a norm, relu(pool(images * weight) + bias), as one operation.
//
// A 2 x 2 pooling throws three of four values away. Done together with the convolution they are
// never written, and on the way back only the one that was kept has a gradient.
#pragma once

#include <torch/types.h>

namespace nw::nn {

/// Side of a filter.
inline constexpr std::int64_t kStageKernel = 5;

/// Images [n, channels, h, w], filters [outputs, channels, 5, 5], bias [outputs] to
/// [n, outputs, (h - 4) / 2, (w - 4) / 2]. Differentiable in the filters and the bias alone:
/// images must not ask for a gradient.
[[nodiscard]] torch::Tensor pooled_convolution(const torch::Tensor& images,
                                               const torch::Tensor& weight,
                                               const torch::Tensor& bias);

/// Whole channels that are dropped in training.
struct ChannelDropout {
  double share = 0.0;
  torch::Tensor uniform = {};  ///< [n, channels]; undefined or empty: nothing is dropped
};

/// relu(pool(a) + bias) for a stage whose input is learnt: [n, channels, h, w] to
/// [n, channels * (h / 2) * (w / 2)], channels first.
[[nodiscard]] torch::Tensor pooled_rows(const torch::Tensor& a, const torch::Tensor& bias,
                                        const ChannelDropout& dropout);

/// What a stage gives, and which of the four values under each pooled one it is: 0 to 3 along the
/// rows, 4 where ReLU cut it off. Both [n, (h - 4) / 2, (w - 4) / 2, outputs].
struct StageValues {
  torch::Tensor values, place;
};
struct StageGradient {
  torch::Tensor weight, bias;
};

struct PooledSlopes {
  torch::Tensor a, bias;
};

// The kernels of a GPU. Callers check that the shapes fit them.

[[nodiscard]] bool stage_kernels_fit(const torch::Tensor& images, const torch::Tensor& weight);
[[nodiscard]] StageValues stage_values_fused(const torch::Tensor& images,
                                             const torch::Tensor& weight,
                                             const torch::Tensor& bias);
[[nodiscard]] StageGradient stage_gradient_fused(const torch::Tensor& images,
                                                 const torch::Tensor& slope,
                                                 const torch::Tensor& place);

/// Of pooled_rows: values are [n, channels * (h / 2) * (w / 2)], places [n, h / 2, w / 2,
/// channels].
[[nodiscard]] bool pooling_kernels_fit(const torch::Tensor& a);
[[nodiscard]] StageValues pooled_rows_fused(const torch::Tensor& a, const torch::Tensor& bias,
                                            const ChannelDropout& dropout);
/// `sizes` are those of a.
[[nodiscard]] PooledSlopes pooled_slopes_fused(const torch::Tensor& slope,
                                               const torch::Tensor& place,
                                               const ChannelDropout& dropout,
                                               at::IntArrayRef sizes);

}  // namespace nw::nn
