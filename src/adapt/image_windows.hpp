// Private: windows of images at random places and in random contrast, as networks take them.
#pragma once

#include <optional>

#include <torch/types.h>

#include "nw/nn/image_size.hpp"

namespace nw::adapt {

struct WindowOptions {
  nn::ImageSize size = {};  ///< of a window
  bool anywhere = true;     ///< in the image; otherwise in the middle
  std::int64_t shift = 0;   ///< pixels further in each direction, beyond the border where need be
  double jitter = 0.0;      ///< see AdaptOptions.jitter
};

/// The places that a window may begin at along one side, `slack` pixels longer than the window.
struct Places {
  std::int64_t first, count;
  Places(std::int64_t slack, const WindowOptions& options)
      : first((options.anywhere ? 0 : slack / 2) - options.shift),
        count((options.anywhere ? slack : 0) + 2 * options.shift + 1) {}
};

/// Numbers in [0, 1) behind every window.
struct WindowDraws {
  torch::Tensor place = {};     ///< [n, 2]: down and right; undefined: the middle
  torch::Tensor contrast = {};  ///< [n, channels, 3]: size, sign and move; undefined: as it is
};

/// Windows of the images [., c, h, w] of bytes, one per index [n], as numbers in [-1, 1]. Beyond
/// its border an image goes on as its last row or column. Grey images that get a contrast become
/// coloured.
[[nodiscard]] torch::Tensor image_windows(const torch::Tensor& images, const torch::Tensor& indices,
                                          const WindowOptions& options, const WindowDraws& draws);

/// The same as a single launch on a GPU; nothing elsewhere.
[[nodiscard]] std::optional<torch::Tensor> image_windows_fused(const torch::Tensor& images,
                                                               const torch::Tensor& indices,
                                                               const WindowOptions& options,
                                                               const WindowDraws& draws);

}  // namespace nw::adapt
