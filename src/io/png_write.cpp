// PNG (ISO/IEC 15948) with one chunk of data and no filters: a header, what zlib makes of the rows,
// an end. Needs no libpng, so that pages have their pictures in every build.
#include <zlib.h>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/write.hpp"

namespace nw::io {
namespace {

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += static_cast<char>(static_cast<unsigned char>(value >> shift));
  }
  return text;
}

/// Length, type, content and checksum.
std::string chunk(const std::string& type, const std::string& content) {
  const std::string body = type + content;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(content.size())) + body +
         big_endian(static_cast<std::uint32_t>(sum));
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (status != Z_OK) throw Error(concat("zlib refused to pack a picture: ", status));
  packed.resize(size);
  return packed;
}

}  // namespace

std::string png_bytes(std::span<const std::uint8_t> pixels, const ImageShape& shape) {
  constexpr std::size_t kLargestSide = 1U << 16;
  require(shape.channels == 1 || shape.channels == 3, "a PNG has 1 or 3 channels, got ",
          shape.channels);
  require(shape.height > 0 && shape.width > 0 && shape.height < kLargestSide &&
              shape.width < kLargestSide &&
              pixels.size() == shape.height * shape.width * shape.channels,
          "a picture of ", shape.height, " x ", shape.width, " x ", shape.channels, " cannot hold ",
          pixels.size(), " bytes");
  constexpr char kGrey = 0, kColour = 2, kBits = 8;
  const std::string header = big_endian(static_cast<std::uint32_t>(shape.width)) +
                             big_endian(static_cast<std::uint32_t>(shape.height)) + kBits +
                             (shape.channels == 1 ? kGrey : kColour) + std::string(3, '\0');
  std::string rows;
  const std::size_t stride = shape.width * shape.channels;
  for (std::size_t y = 0; y < shape.height; ++y) {
    rows += '\0';  // no filter
    const auto row = pixels.subspan(y * stride, stride);
    rows.append(reinterpret_cast<const char*>(row.data()), row.size());
  }
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", deflated(rows)) +
         chunk("IEND", "");
}

void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> pixels,
               const ImageShape& shape) {
  write_file_atomically(path, png_bytes(pixels, shape));
}

}  // namespace nw::io
