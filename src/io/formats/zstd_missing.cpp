// In place of zstd.cpp where libzstd was not found.
#include "io/failure.hpp"
#include "io/formats/codecs.hpp"

namespace nw::io {

void unpack_zstd(std::string_view, std::span<char>, const std::string& file) {
  fail(file, "is packed by zstd, and nw was built without libzstd; save it with snappy or gzip");
}

}  // namespace nw::io
