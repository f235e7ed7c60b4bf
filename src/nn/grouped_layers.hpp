// Private: convolutions of c components side by side, as groups of one convolution. Activations are
// [b, c * channels, h, w]; weights keep the component as their first dimension.
#pragma once

#include <vector>

#include <torch/types.h>

#include "nw/nn/mixture_generator.hpp"

namespace nw::nn {

/// Some components of a network: [first, first + count) of k.
struct ComponentRange {
  std::int64_t first, count;
  [[nodiscard]] torch::Tensor of(const torch::Tensor& whole) const {
    return whole.size(0) == count ? whole : whole.narrow(0, first, count);
  }
};

/// weight: [k, in, out, s, s], bias: [k, out].
inline torch::Tensor grouped_deconvolution(const torch::Tensor& a, const torch::Tensor& weight,
                                           const torch::Tensor& bias, ComponentRange range,
                                           std::int64_t stride, std::int64_t padding) {
  return at::conv_transpose2d(a, range.of(weight).flatten(0, 1), range.of(bias).flatten(), stride,
                              padding, /*output_padding=*/0, /*groups=*/range.count);
}

/// weight: [k, out, in, s, s], bias: [k, out].
inline torch::Tensor grouped_convolution(const torch::Tensor& a, const torch::Tensor& weight,
                                         const torch::Tensor& bias, ComponentRange range,
                                         std::int64_t padding) {
  return at::conv2d(a, range.of(weight).flatten(0, 1), range.of(bias).flatten(), /*stride=*/1,
                    padding, /*dilation=*/1, /*groups=*/range.count);
}

/// Running moments of a batch norm: [k, channels] each.
struct RunningMoments {
  torch::Tensor mean, variance;
};

/// Batch norm of each component over its own rows, with scale and shift [k, channels].
inline torch::Tensor grouped_batch_norm(const torch::Tensor& a, const torch::Tensor& scale,
                                        const torch::Tensor& shift, const RunningMoments& moments,
                                        ComponentRange range, Mode mode) {
  auto mean = range.of(moments.mean).view({-1}), variance = range.of(moments.variance).view({-1});
  return at::batch_norm(a, range.of(scale).flatten(), range.of(shift).flatten(), mean, variance,
                        mode == Mode::training, /*momentum=*/0.1, /*eps=*/1e-5,
                        /*cudnn_enabled=*/true);
}

/// [c, b, latent] -> [b, c * latent, 1, 1].
inline torch::Tensor latents_to_channels(const torch::Tensor& z) {
  return z.transpose(0, 1).reshape({z.size(1), -1, 1, 1});
}

/// [b, c * channels, h, w] -> [c, b, h * w * channels].
inline torch::Tensor channels_to_rows(const torch::Tensor& images, std::int64_t count,
                                      const ImageSize& size) {
  return images.view({images.size(0), count, size.channels, size.height, size.width})
      .permute({1, 0, 3, 4, 2})
      .reshape({count, images.size(0), -1});
}

}  // namespace nw::nn
