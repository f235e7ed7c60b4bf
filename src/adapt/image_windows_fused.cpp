#include <c10/cuda/CUDAStream.h>

#include "nw/base/error.hpp"

#include "adapt/image_windows.hpp"
#include "adapt/window_kernels.hpp"

namespace nw::adapt {
namespace {

const float* data_or_null(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<float>() : nullptr;
}

}  // namespace

std::optional<torch::Tensor> image_windows_fused(const torch::Tensor& images,
                                                 const torch::Tensor& indices,
                                                 const WindowOptions& options,
                                                 const WindowDraws& draws) {
  if (!images.is_cuda() || !images.is_contiguous() || indices.size(0) == 0) return std::nullopt;
  const torch::Tensor chosen = indices.contiguous();
  const auto side = [](std::int64_t pixels) { return static_cast<int>(pixels); };
  const Places down(images.size(2) - options.size.height, options);
  const Places right(images.size(3) - options.size.width, options);
  const auto first = [&](const Places& places, std::int64_t slack) {
    return side(draws.place.defined() ? places.first : slack / 2);
  };
  const std::int64_t channels = draws.contrast.defined() ? draws.contrast.size(1) : images.size(1);
  const auto windows =
      torch::empty({chosen.size(0), channels, options.size.height, options.size.width},
                   images.options().dtype(torch::kFloat32));
  const cudaError_t error =
      cut_windows({.images = images.data_ptr<std::uint8_t>(),
                   .indices = chosen.data_ptr<std::int64_t>(),
                   .place = data_or_null(draws.place),
                   .contrast = data_or_null(draws.contrast),
                   .windows = windows.data_ptr<float>(),
                   .rows = chosen.size(0),
                   .image_channels = side(images.size(1)),
                   .height = side(images.size(2)),
                   .width = side(images.size(3)),
                   .channels = side(channels),
                   .out_height = side(options.size.height),
                   .out_width = side(options.size.width),
                   .first_y = first(down, images.size(2) - options.size.height),
                   .places_y = side(down.count),
                   .first_x = first(right, images.size(3) - options.size.width),
                   .places_x = side(right.count),
                   .jitter = static_cast<float>(options.jitter)},
                  c10::cuda::getCurrentCUDAStream());
  require(error == cudaSuccess,
          "windows of images cannot be cut on this GPU: ", cudaGetErrorString(error));
  return windows;
}

}  // namespace nw::adapt
