#include "nw/gan/normalisation.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/pixels.hpp"

namespace nw::gan {
namespace {

std::int64_t padded_side(std::int64_t side) {
  std::int64_t power = 8;
  while (power < side) power *= 2;
  return power;
}

/// The place of an image within the padded one.
struct Margin {
  std::int64_t top, left;
};

Margin margin_of(const nn::ImageSize& image, const nn::ImageSize& padded) {
  return {(padded.height - image.height) / 2, (padded.width - image.width) / 2};
}

}  // namespace

std::int64_t Normalisation::network_dim() const {
  return is_image() ? padded.count() : static_cast<std::int64_t>(shift.size());
}

torch::Tensor Normalisation::to_network(MatrixView data) const {
  require(data.cols() == shift.size(), "Normalisation: rows of ", data.cols(), " values, expected ",
          shift.size());
  Matrix scaled(data.rows(), data.cols());
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t c = 0; c < data.cols(); ++c) {
      scaled(i, c) = (data(i, c) - shift[c]) / scale;
    }
  }
  auto rows = bridge::to_tensor(scaled);
  if (!is_image() || image == padded) return rows;
  const auto [top, left] = margin_of(image, padded);
  auto canvas = torch::full({rows.size(0), padded.height, padded.width, padded.channels}, -1.0F);
  canvas.narrow(1, top, image.height)
      .narrow(2, left, image.width)
      .copy_(rows.view({rows.size(0), image.height, image.width, image.channels}));
  return canvas.flatten(1);
}

Matrix Normalisation::to_data(const torch::Tensor& rows) const {
  torch::Tensor inner = rows;
  if (is_image() && image != padded) {
    const auto [top, left] = margin_of(image, padded);
    inner = rows.view({rows.size(0), padded.height, padded.width, padded.channels})
                .narrow(1, top, image.height)
                .narrow(2, left, image.width)
                .reshape({rows.size(0), -1});
  }
  Matrix data = bridge::to_matrix(inner);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t c = 0; c < data.cols(); ++c) data(i, c) = data(i, c) * scale + shift[c];
  }
  return data;
}

Normalisation identity_normalisation(std::size_t dim) {
  return {.shift = std::vector<double>(dim, 0.0)};
}

Normalisation fit_normalisation(const io::PointSet& points) {
  const std::size_t d = points.dimension();
  Normalisation result{.shift = std::vector<double>(d, 0.0)};
  if (points.image) {
    io::require_unit_pixels(points);
    const auto side = [](std::size_t pixels) { return static_cast<std::int64_t>(pixels); };
    result.image = {side(points.image->height), side(points.image->width),
                    side(points.image->channels)};
    const std::int64_t longest = padded_side(std::max(result.image.height, result.image.width));
    result.padded = {longest, longest, result.image.channels};
    std::fill(result.shift.begin(), result.shift.end(), 0.5);
    result.scale = 0.5;
    return result;
  }
  const auto rows = static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t c = 0; c < d; ++c) result.shift[c] += points.values(i, c) / rows;
  }
  double square = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      const double delta = points.values(i, c) - result.shift[c];
      square += delta * delta;
    }
  }
  const double variance = square / (rows * static_cast<double>(d));
  result.scale = variance > 0.0 ? std::sqrt(variance) : 1.0;
  return result;
}

}  // namespace nw::gan
