#include "adapt/image_windows.hpp"

#include <algorithm>

#include <ATen/Parallel.h>

namespace nw::adapt {
namespace {

using torch::Tensor;

/// First row or column of each window.
Tensor first_of(const Tensor& place, std::int64_t axis, std::int64_t slack,
                const WindowOptions& options, const Tensor& indices) {
  if (!place.defined()) return torch::full({indices.size(0)}, slack / 2, indices.options());
  const Places places(slack, options);
  return (place.select(1, axis) * static_cast<double>(places.count)).floor().to(torch::kInt64) +
         places.first;
}

/// The upper left corners of windows of one size, one for each of `indices`.
struct Windows {
  Tensor indices, top, left;  // [rows]
  nn::ImageSize size;
};

/// By tensor operations, for any device.
Tensor windows_by_tensors(const Tensor& images, const Windows& windows) {
  const auto &indices = windows.indices, &top = windows.top, &left = windows.left;
  const nn::ImageSize size = windows.size;
  const std::int64_t rows = indices.size(0), channels = images.size(1);
  const auto whole = indices.options();
  const auto along = [&](const Tensor& first, std::int64_t side, std::int64_t limit) {
    return (first.unsqueeze(1) + torch::arange(side, whole).unsqueeze(0)).clamp(0, limit - 1);
  };
  const auto y = along(top, size.height, images.size(2)).view({rows, 1, size.height, 1});
  const auto x = along(left, size.width, images.size(3)).view({rows, 1, 1, size.width});
  const auto channel = torch::arange(channels, whole).view({1, channels, 1, 1});
  return at::index(images, {indices.view({rows, 1, 1, 1}), channel, y, x})
      .to(torch::kFloat32)
      .mul_(1.0 / 127.5)
      .sub_(1.0);
}

/// The same by plain loops: indexing by tensors takes several times as long.
Tensor windows_on_cpu(const Tensor& images, const Windows& windows) {
  const auto &indices = windows.indices, &top = windows.top, &left = windows.left;
  const nn::ImageSize size = windows.size;
  const std::int64_t rows = indices.size(0), channels = images.size(1);
  const std::int64_t height = images.size(2), width = images.size(3);
  auto result = torch::empty({rows, channels, size.height, size.width});
  const auto* bytes = images.data_ptr<std::uint8_t>();
  const auto* index = indices.data_ptr<std::int64_t>();
  const auto *first_y = top.data_ptr<std::int64_t>(), *first_x = left.data_ptr<std::int64_t>();
  float* values = result.data_ptr<float>();
  at::parallel_for(0, rows, /*grain_size=*/16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool inside = first_x[i] >= 0 && first_x[i] + size.width <= width;
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t y = 0; y < size.height; ++y) {
          const std::int64_t from = std::clamp<std::int64_t>(first_y[i] + y, 0, height - 1);
          const auto* line = bytes + ((index[i] * channels + c) * height + from) * width;
          float* to = values + ((i * channels + c) * size.height + y) * size.width;
          for (std::int64_t x = 0; x < size.width; ++x) {
            const std::int64_t place = first_x[i] + x;
            to[x] = static_cast<float>(
                        line[inside ? place : std::clamp<std::int64_t>(place, 0, width - 1)]) *
                        static_cast<float>(1.0 / 127.5) -
                    1.0F;
          }
        }
      }
    }
  });
  return result;
}

Tensor contrasted(const Tensor& images, double jitter, const Tensor& draws) {
  const auto part = [&](std::int64_t which) {
    return draws.select(2, which).unsqueeze(2).unsqueeze(3);
  };
  const auto size = 1.0 - jitter * part(0);
  const auto sign = part(1).ge(0.5).to(torch::kFloat32) * 2.0 - 1.0;
  const auto move = (part(2) * 2.0 - 1.0) * (1.0 - size);
  return images * (size * sign) + move;
}

}  // namespace

Tensor image_windows(const Tensor& images, const Tensor& indices, const WindowOptions& options,
                     const WindowDraws& draws) {
  if (auto fused = image_windows_fused(images, indices, options, draws)) return *fused;
  const auto top = first_of(draws.place, 0, images.size(2) - options.size.height, options, indices);
  const auto left = first_of(draws.place, 1, images.size(3) - options.size.width, options, indices);
  const Windows windows{indices, top, left, options.size};
  const auto pixels =
      images.is_cpu() ? windows_on_cpu(images, windows) : windows_by_tensors(images, windows);
  return draws.contrast.defined() ? contrasted(pixels, options.jitter, draws.contrast) : pixels;
}

}  // namespace nw::adapt
