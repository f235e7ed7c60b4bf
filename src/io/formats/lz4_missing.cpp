// In place of lz4.cpp where liblz4 was not found.
#include "io/failure.hpp"
#include "io/formats/codecs.hpp"

namespace nw::io {
namespace {

[[noreturn]] void refuse(const std::string& file) {
  fail(file, "is packed by lz4, and nw was built without liblz4; save it uncompressed");
}

}  // namespace

void unpack_lz4_block(std::string_view, std::span<char>, const std::string& file) {
  refuse(file);
}
void unpack_lz4_frame(std::string_view, std::span<char>, const std::string& file) {
  refuse(file);
}

}  // namespace nw::io
