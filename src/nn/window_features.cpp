#include "nw/nn/window_features.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

#include "nn/image_layout.hpp"

namespace nw::nn {

using torch::Tensor;

namespace {

// Images at once: activations of four windows of one take some megabytes.
constexpr std::int64_t kImages = 16;

/// What is left of images [n, channels, height, width] without a sixteenth at each border.
Tensor middle_of(const Tensor& images) {
  const std::int64_t down = images.size(2) / 16, right = images.size(3) / 16;
  return images.narrow(2, down, images.size(2) - 2 * down)
      .narrow(3, right, images.size(3) - 2 * right);
}

Tensor mean_of_windows(const Backbone& backbone, const Tensor& images, std::int64_t side) {
  Tensor sum;
  for (const auto& window : {images, middle_of(images)}) {
    for (const auto& seen : {window, window.flip({3})}) {
      const auto features = backbone.features(backbone_images(seen, side));
      sum = sum.defined() ? sum + features : features;
    }
  }
  return sum / 4.0;
}

}  // namespace

Tensor mean_window_features(const Backbone& backbone, const Tensor& rows, const ImageSize& size,
                            std::int64_t side) {
  require(side > 0, "mean_window_features: windows must be brought to one size");
  require(rows.dim() == 2 && rows.size(0) > 0 && rows.size(1) == size.count(),
          "mean_window_features: rows of ", rows.size(-1), " values are not images of ",
          size.height, " x ", size.width, " x ", size.channels);
  const torch::NoGradGuard no_grad;
  const auto device = backbone.parameters().flat().device();
  std::vector<Tensor> parts;
  for (std::int64_t first = 0; first < rows.size(0); first += kImages) {
    const auto part = rows.narrow(0, first, std::min(kImages, rows.size(0) - first));
    const auto images = rows_to_images(part.to(device), size);
    parts.push_back(mean_of_windows(backbone, images, side).to(torch::kCPU));
  }
  return torch::cat(parts);
}

}  // namespace nw::nn
