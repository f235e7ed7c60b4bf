// Private: windows of images as one launch. Free of LibTorch, which nvcc need not read.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace nw::adapt {

/// Images [., image_channels, height, width], windows [rows, channels, out_height, out_width].
struct WindowLaunch {
  const std::uint8_t* images;
  const std::int64_t* indices;    ///< [rows]
  const float *place, *contrast;  ///< see WindowDraws; null: none
  float* windows;
  std::int64_t rows;
  int image_channels, height, width, channels, out_height, out_width;
  int first_y, places_y, first_x, places_x;  ///< see Places; the middle where nothing is drawn
  float jitter;
};
cudaError_t cut_windows(const WindowLaunch& launch, cudaStream_t stream);

}  // namespace nw::adapt
