// Private: images as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/points.hpp"

namespace nw::io {

/// Row by row, channels last: one (grey) or three (red, green, blue).
struct Pixels {
  ImageShape shape;
  std::vector<unsigned char> values;
};

/// Palettes and fewer than 8 bits are expanded, 16 bits rounded to 8, transparency dropped; gamma
/// and colour profiles are not applied. Throws IoError naming `file`.
[[nodiscard]] Pixels decode_png(std::string_view bytes, const std::string& file);

/// With libjpeg's defaults (accurate integer DCT, smooth upsampling). Throws IoError naming `file`,
/// also for images that the library would repair with a warning, such as truncated ones.
[[nodiscard]] Pixels decode_jpeg(std::string_view bytes, const std::string& file);

/// Either of them, by content.
[[nodiscard]] Pixels decode_image(std::string_view bytes, const std::string& file);

/// Grey to colour by repetition, colour to grey by Rec. 601 luma; 0 leaves the image as it is.
[[nodiscard]] Pixels with_channels(Pixels image, std::size_t channels);

/// Appends a rectangle of the image to `values`, scaled.
void append_pixels(const Pixels& image, std::size_t top, std::size_t left, const ImageShape& tile,
                   PixelScale scale, std::vector<double>& values);

}  // namespace nw::io
