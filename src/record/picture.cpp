#include "nw/record/picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/io/base64.hpp"
#include "nw/io/write.hpp"

namespace nw::record {
namespace {

constexpr std::size_t kGap = 1;
constexpr std::uint8_t kGapColour = 128;

std::uint8_t byte_of(double value) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(value, 0.0, 1.0)));
}

}  // namespace

Picture draw_sheet(const ImageSheet& sheet, std::string title, std::string caption) {
  require(!sheet.lines.empty() && sheet.zoom > 0, "draw_sheet: needs lines of images and a zoom");
  const auto& shape = sheet.shape;
  const std::size_t columns = sheet.lines[0].rows();
  const io::ImageShape whole{sheet.lines.size() * (shape.height + kGap) - kGap,
                             columns * (shape.width + kGap) - kGap, shape.channels};
  std::vector<std::uint8_t> pixels(whole.height * whole.width * whole.channels, kGapColour);
  for (std::size_t l = 0; l < sheet.lines.size(); ++l) {
    const Matrix& line = sheet.lines[l];
    require(line.rows() == columns && line.cols() == shape.height * shape.width * shape.channels,
            "draw_sheet: line ", l + 1, " has ", line.rows(), " rows of ", line.cols(), " values");
    for (std::size_t i = 0; i < columns; ++i) {
      const auto image = line.row(i);
      for (std::size_t y = 0; y < shape.height; ++y) {
        const std::size_t to =
            ((l * (shape.height + kGap) + y) * whole.width + i * (shape.width + kGap)) *
            shape.channels;
        const std::size_t from = y * shape.width * shape.channels;
        for (std::size_t c = 0; c < shape.width * shape.channels; ++c) {
          pixels[to + c] = byte_of(image[from + c]);
        }
      }
    }
  }
  return {.title = std::move(title),
          .caption = std::move(caption),
          .width = whole.width * sheet.zoom,
          .height = whole.height * sheet.zoom,
          .png = io::base64(io::png_bytes(pixels, whole))};
}

}  // namespace nw::record
