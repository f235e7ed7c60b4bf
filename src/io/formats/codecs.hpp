// Private: blocks of bytes that columnar formats pack, unpacked into memory of known size.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nw::io {

/// Each fills `out` exactly, or throws IoError "<file>: ..." when `packed` is damaged or unpacks to
/// another size. zstd and lz4 throw it too where nw was built without them.
void unpack_snappy(std::string_view packed, std::span<char> out, const std::string& file);
void unpack_gzip(std::string_view packed, std::span<char> out, const std::string& file);
void unpack_zstd(std::string_view packed, std::span<char> out, const std::string& file);
/// One block without any frame.
void unpack_lz4_block(std::string_view packed, std::span<char> out, const std::string& file);
/// A frame with its magic number.
void unpack_lz4_frame(std::string_view packed, std::span<char> out, const std::string& file);

/// The wording of a block that does not unpack.
[[noreturn]] void refuse_block(const std::string& file, std::string_view codec);

}  // namespace nw::io
