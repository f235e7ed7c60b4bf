#include <memory>

#include <lz4.h>
#include <lz4frame.h>

#include "io/failure.hpp"
#include "io/formats/codecs.hpp"

namespace nw::io {

void unpack_lz4_block(std::string_view packed, std::span<char> out, const std::string& file) {
  constexpr std::size_t kMost = LZ4_MAX_INPUT_SIZE;
  if (packed.size() > kMost || out.size() > kMost) refuse_block(file, "lz4");
  const int size = LZ4_decompress_safe(packed.data(), out.data(), static_cast<int>(packed.size()),
                                       static_cast<int>(out.size()));
  if (size < 0 || static_cast<std::size_t>(size) != out.size()) refuse_block(file, "lz4");
}

void unpack_lz4_frame(std::string_view packed, std::span<char> out, const std::string& file) {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) {
    fail(file, "cannot start decompression");
  }
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> owner(
      context, LZ4F_freeDecompressionContext);
  std::size_t read = 0, written = 0, hint = 1;
  while (hint != 0) {
    std::size_t from = packed.size() - read, to = out.size() - written;
    hint =
        LZ4F_decompress(context, out.data() + written, &to, packed.data() + read, &from, nullptr);
    if (LZ4F_isError(hint) != 0 || (hint != 0 && from == 0 && to == 0)) refuse_block(file, "lz4");
    read += from;
    written += to;
  }
  if (written != out.size()) refuse_block(file, "lz4");
}

}  // namespace nw::io
