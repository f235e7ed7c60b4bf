// PNG through libpng. Its errors come back by longjmp, so the function that may be jumped over
// (`read_pixels`) owns nothing; everything with a destructor lives in Decoder, outside.
#include <algorithm>
#include <csetjmp>
#include <cstring>

#include <png.h>

#include "io/failure.hpp"
#include "io/image.hpp"

namespace nw::io {
namespace {

struct Decoder {
  explicit Decoder(std::string_view data) : bytes(data) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    static_cast<Decoder*>(png_get_error_ptr(png))->error = message;
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}

  static void on_read(png_structp png, png_bytep to, std::size_t count) {
    auto* const self = static_cast<Decoder*>(png_get_io_ptr(png));
    if (count > self->bytes.size() - self->offset) png_error(png, "the file ends too early");
    std::memcpy(to, self->bytes.data() + self->offset, count);
    self->offset += count;
  }

  /// Whether the data that is left could hold an image of `raw_bytes`: deflate packs at most 1032
  /// bytes into one.
  [[nodiscard]] bool can_hold(std::uint64_t raw_bytes) const {
    return raw_bytes / 1032 <= bytes.size() - offset;
  }

  std::string_view bytes;
  std::size_t offset = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string error;
  Pixels pixels;
  std::vector<png_bytep> rows;
};

void prepare_rows(Decoder& decoder) {
  ImageShape& shape = decoder.pixels.shape;
  shape = {png_get_image_height(decoder.png, decoder.info),
           png_get_image_width(decoder.png, decoder.info),
           png_get_channels(decoder.png, decoder.info)};
  const std::size_t stride = shape.width * shape.channels;
  decoder.pixels.values.resize(shape.height * stride);
  decoder.rows.resize(shape.height);
  for (std::size_t y = 0; y < shape.height; ++y) {
    decoder.rows[y] = decoder.pixels.values.data() + y * stride;
  }
}

/// Returns false with decoder.error set when libpng gives up.
bool read_pixels(Decoder& decoder) {
  png_structp png = decoder.png;
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &decoder, Decoder::on_read);
  png_set_user_limits(png, 1 << 20, 1 << 20);
  png_read_info(png, decoder.info);
  const std::uint64_t stored_row = png_get_rowbytes(png, decoder.info);
  if (!decoder.can_hold(stored_row * png_get_image_height(png, decoder.info))) {
    png_error(png, "the header claims more pixels than the file can hold");
  }
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, decoder.info);
  prepare_rows(decoder);
  png_read_image(png, decoder.rows.data());
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

Pixels decode_png(std::string_view bytes, const std::string& file) {
  Decoder decoder(bytes);
  if (decoder.png == nullptr || decoder.info == nullptr) fail(file, "libpng cannot be started");
  if (!read_pixels(decoder)) {
    fail(file, "broken PNG near byte ", decoder.offset, ": ", decoder.error,
         "; save the image again or leave it out");
  }
  return std::move(decoder.pixels);
}

}  // namespace nw::io
