#include "io/image.hpp"

#include "io/failure.hpp"
#include "io/recognise.hpp"

namespace nw::io {

Pixels decode_image(std::string_view bytes, const std::string& file) {
  switch (recognise(bytes, file)) {
    case Format::png:
      return decode_png(bytes, file);
    case Format::jpeg:
      return decode_jpeg(bytes, file);
    default:
      fail(file, "is neither PNG nor JPEG: it begins with ", shown(bytes.substr(0, 8)));
  }
}

Pixels with_channels(Pixels image, std::size_t channels) {
  const std::size_t present = image.shape.channels;
  if (channels == 0 || channels == present) return image;
  const std::size_t count = image.shape.height * image.shape.width;
  Pixels result{.shape = image.shape, .values = std::vector<unsigned char>(count * channels)};
  result.shape.channels = channels;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char* const from = image.values.data() + i * present;
    unsigned char* const to = result.values.data() + i * channels;
    if (channels == 3) {
      to[0] = to[1] = to[2] = from[0];
    } else {
      // Rec. 601 weights in thousandths, rounded.
      to[0] =
          static_cast<unsigned char>((299 * from[0] + 587 * from[1] + 114 * from[2] + 500) / 1000);
    }
  }
  return result;
}

void append_pixels(const Pixels& image, std::size_t top, std::size_t left, const ImageShape& tile,
                   PixelScale scale, std::vector<double>& values) {
  const double divisor = scale == PixelScale::unit ? 255.0 : 1.0;
  const std::size_t stride = image.shape.width * image.shape.channels;
  const std::size_t line = tile.width * tile.channels;
  for (std::size_t y = 0; y < tile.height; ++y) {
    const unsigned char* const from =
        image.values.data() + (top + y) * stride + left * image.shape.channels;
    for (std::size_t k = 0; k < line; ++k) values.push_back(from[k] / divisor);
  }
}

}  // namespace nw::io
