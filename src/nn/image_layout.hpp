// Private: rows of data as images in the order convolutions want.
#pragma once

#include <torch/types.h>

#include "nw/base/error.hpp"
#include "nw/nn/image_size.hpp"

namespace nw::nn {

/// [n, h * w * c] -> [n, c, h, w].
inline torch::Tensor rows_to_images(const torch::Tensor& rows, const ImageSize& size) {
  return rows.view({rows.size(0), size.height, size.width, size.channels}).permute({0, 3, 1, 2});
}

/// [n, c, h, w] -> [n, h * w * c].
inline torch::Tensor images_to_rows(const torch::Tensor& images) {
  return images.permute({0, 2, 3, 1}).reshape({images.size(0), -1});
}

/// How often an image halves before it is 4 x 4. Throws InvalidArgument unless the sides are equal
/// and 4 times a power of two, at least 8.
inline int stages_of(const ImageSize& size, const char* what) {
  int stages = 0;
  for (std::int64_t side = 4; side < size.height; side *= 2) ++stages;
  require(size.height == size.width && size.height == (std::int64_t{4} << stages) && stages > 0,
          what, " needs square images of 8, 16, 32, 64, ... pixels, got ", size.height, " x ",
          size.width);
  return stages;
}

}  // namespace nw::nn
