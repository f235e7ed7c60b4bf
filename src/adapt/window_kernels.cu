// The formulas of image_windows.cpp, pixel by pixel.
#include "adapt/window_kernels.hpp"

namespace nw::adapt {
namespace {

constexpr int kThreads = 256;

__device__ int start_of(const float* place, int axis, std::int64_t row, int first, int places) {
  return place == nullptr
             ? first
             : first + static_cast<int>(floorf(place[2 * row + axis] * static_cast<float>(places)));
}

__device__ int inside(int place, int side) {
  return place < 0 ? 0 : place >= side ? side - 1 : place;
}

__global__ void cut(WindowLaunch w) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int area = w.out_height * w.out_width;
  if (pixel >= w.rows * w.channels * area) return;
  const int x = static_cast<int>(pixel % w.out_width);
  const int y = static_cast<int>(pixel / w.out_width % w.out_height);
  const int channel = static_cast<int>(pixel / area % w.channels);
  const std::int64_t row = pixel / area / w.channels;
  const int from_y = inside(start_of(w.place, 0, row, w.first_y, w.places_y) + y, w.height);
  const int from_x = inside(start_of(w.place, 1, row, w.first_x, w.places_x) + x, w.width);
  const int from_channel = w.image_channels == 1 ? 0 : channel;
  const std::int64_t line = (w.indices[row] * w.image_channels + from_channel) * w.height + from_y;
  float value = static_cast<float>(w.images[line * w.width + from_x]) * (1.0f / 127.5f) - 1.0f;
  if (w.contrast != nullptr) {
    const float* draw = w.contrast + 3 * (row * w.channels + channel);
    const float size = 1.0f - w.jitter * draw[0];
    const float move = (2.0f * draw[2] - 1.0f) * (1.0f - size);
    value = value * (draw[1] >= 0.5f ? size : -size) + move;
  }
  w.windows[pixel] = value;
}

}  // namespace

cudaError_t cut_windows(const WindowLaunch& launch, cudaStream_t stream) {
  const std::int64_t pixels = launch.rows * launch.channels * launch.out_height * launch.out_width;
  cut<<<static_cast<unsigned>((pixels + kThreads - 1) / kThreads), kThreads, 0, stream>>>(launch);
  return cudaGetLastError();
}

}  // namespace nw::adapt
