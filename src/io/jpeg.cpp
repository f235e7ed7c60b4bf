// JPEG through libjpeg. Its errors come back by longjmp, so the function that may be jumped over
// (`read_pixels`) owns nothing; everything with a destructor lives in Decoder, outside.
#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <utility>

#include <jerror.h>
#include <jpeglib.h>

#include "io/failure.hpp"
#include "io/image.hpp"

namespace nw::io {
namespace {

constexpr int kMostScans = 100;  // of a progressive image; real ones have about ten

struct Decoder {
  explicit Decoder(std::string_view data) : bytes(data) {
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = on_error;
    errors.emit_message = on_message;
    progress.progress_monitor = on_progress;
    jpeg.client_data = this;
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&jpeg); }

  [[noreturn]] static void on_error(j_common_ptr jpeg) {
    auto* const self = static_cast<Decoder*>(jpeg->client_data);
    std::array<char, JMSG_LENGTH_MAX> text{};
    jpeg->err->format_message(jpeg, text.data());
    self->error = text.data();
    std::longjmp(self->return_point, 1);
  }

  static void on_message(j_common_ptr jpeg, int level) {
    const int code = jpeg->err->msg_code;
    const bool harmless =
        code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR;
    if (level < 0 && !harmless) on_error(jpeg);
  }

  /// Stops images made of thousands of scans, which take minutes to decode.
  static void on_progress(j_common_ptr jpeg) {
    auto* const self = static_cast<Decoder*>(jpeg->client_data);
    if (self->jpeg.input_scan_number <= kMostScans) return;
    self->error = "more than 100 scans";
    std::longjmp(self->return_point, 1);
  }

  /// Where the library reads: for messages only.
  [[nodiscard]] std::size_t offset() const {
    return jpeg.src == nullptr ? 0
                               : bytes.size() - std::min(bytes.size(), jpeg.src->bytes_in_buffer);
  }

  /// A block of 8 x 8 pixels takes at least one bit, so a byte holds no more than 512 pixels.
  [[nodiscard]] bool can_hold(std::uint64_t count) const { return count / 512 <= bytes.size(); }

  std::string_view bytes;
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf return_point{};
  std::string error;
  Pixels pixels;
};

void prepare_pixels(Decoder& decoder) {
  ImageShape& shape = decoder.pixels.shape;
  shape = {decoder.jpeg.output_height, decoder.jpeg.output_width,
           static_cast<std::size_t>(decoder.jpeg.output_components)};
  decoder.pixels.values.resize(shape.height * shape.width * shape.channels);
}

void give_up(Decoder& decoder, const char* why) {
  decoder.error = why;
  std::longjmp(decoder.return_point, 1);
}

/// Returns false with decoder.error set when libjpeg gives up.
bool read_pixels(Decoder& decoder) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  if (setjmp(decoder.return_point) != 0) return false;
  jpeg_create_decompress(&jpeg);
  jpeg.client_data = &decoder;
  jpeg.progress = &decoder.progress;
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(decoder.bytes.data()),
               static_cast<unsigned long>(decoder.bytes.size()));
  jpeg_read_header(&jpeg, TRUE);
  if (!decoder.can_hold(std::uint64_t{jpeg.image_width} * jpeg.image_height)) {
    give_up(decoder, "the header claims more pixels than the file can hold");
  }
  if (jpeg.num_components != 1 && jpeg.num_components != 3) {
    give_up(decoder, "neither grey nor three colours (CMYK?); convert it to RGB");
  }
  jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&jpeg);
  prepare_pixels(decoder);
  const std::size_t stride = decoder.pixels.shape.width * decoder.pixels.shape.channels;
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = decoder.pixels.values.data() + jpeg.output_scanline * stride;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

}  // namespace

Pixels decode_jpeg(std::string_view bytes, const std::string& file) {
  Decoder decoder(bytes);
  if (!read_pixels(decoder)) {
    fail(file, "broken JPEG near byte ", decoder.offset(), ": ", decoder.error,
         "; save the image again or leave it out");
  }
  return std::move(decoder.pixels);
}

}  // namespace nw::io
