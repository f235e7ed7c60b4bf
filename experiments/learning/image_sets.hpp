// The 32 x 32 colour images of the paper's experiments, as networks see them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/nn/image_size.hpp"

namespace nw::experiments {

inline constexpr nn::ImageSize kSmallColour{32, 32, 3};

/// Rows [n, 32 * 32 * 3] with values in [-1, 1].
///
/// CIFAR-10's training images: sheets of tiles (cifar10_train_*.jpg) or a public form of the whole
/// set. `given` is the folder of data sets (empty: where `nw data` writes); at most `limit` images
/// (0: all). Throws IoError that tells what was looked for.
[[nodiscard]] torch::Tensor load_cifar_rows(const std::string& given, std::size_t limit);

/// CelebA: sheets of tiles (celeba32_*.jpg), or the public folder of aligned faces, which are cut
/// to a square in their middle and shrunk by averaging.
[[nodiscard]] torch::Tensor load_celeba_rows(const std::string& given, std::size_t limit);

/// A file of weights in `given`/weights or `given`. Throws IoError.
[[nodiscard]] std::string find_weight_file(const std::string& given, const std::string& name);

}  // namespace nw::experiments
