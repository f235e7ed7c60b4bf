#include "nw/io/image_sheet.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/io/write.hpp"

namespace nw::io {
namespace {

std::uint8_t to_byte(double brightness) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(brightness, 0.0, 1.0)));
}

}  // namespace

std::string image_sheet(const MatrixView& images, const ImageShape& shape, std::size_t columns) {
  require(shape.channels == 1 || shape.channels == 3, "image_sheet: one channel or three, got ",
          shape.channels);
  const std::size_t stride = shape.width * shape.channels;
  require(images.rows() > 0 && columns > 0 && images.cols() == shape.height * stride,
          "image_sheet: ", images.rows(), " rows of ", images.cols(), " values in ", columns,
          " columns are not images of ", shape.width, " x ", shape.height, " x ", shape.channels);
  const std::size_t lines = (images.rows() + columns - 1) / columns;
  const ImageShape whole{lines * shape.height, columns * shape.width, shape.channels};
  std::vector<std::uint8_t> pixels(whole.height * columns * stride, 0);
  for (std::size_t i = 0; i < images.rows(); ++i) {
    const auto image = images.row(i);
    for (std::size_t y = 0; y < shape.height; ++y) {
      const std::size_t line = (i / columns) * shape.height + y;
      std::transform(
          image.begin() + static_cast<std::ptrdiff_t>(y * stride),
          image.begin() + static_cast<std::ptrdiff_t>((y + 1) * stride),
          pixels.begin() + static_cast<std::ptrdiff_t>((line * columns + i % columns) * stride),
          to_byte);
    }
  }
  return png_bytes(pixels, whole);
}

}  // namespace nw::io
