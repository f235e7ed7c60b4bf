#include <zstd.h>

#include "io/formats/codecs.hpp"

namespace nw::io {

void unpack_zstd(std::string_view packed, std::span<char> out, const std::string& file) {
  const std::size_t size = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != out.size()) refuse_block(file, "zstd");
}

}  // namespace nw::io
