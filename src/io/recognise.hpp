// Private: what an input is.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "nw/io/points.hpp"

#include "io/byte_source.hpp"
#include "io/byte_stream.hpp"

namespace nw::io {

/// The first bytes of a file are looked at first; only when they tell nothing, its suffix. `name`
/// is the file's name without a final .gz.
[[nodiscard]] Format recognise(std::string_view first_bytes, std::string_view name);

[[nodiscard]] bool is_zip(std::string_view first_bytes);
[[nodiscard]] bool is_gzip(const ByteSource& source);

/// The content of `source`, unpacked if it is gzipped.
[[nodiscard]] std::unique_ptr<ByteStream> content_of(const ByteSource& source);

/// How many of the first bytes of a file are looked at.
inline constexpr std::size_t kFirstBytes = 1024;

/// Up to kFirstBytes from the start of the unpacked content.
[[nodiscard]] std::string first_bytes_of(const ByteSource& source);

/// `name` in small letters without a final .gz.
[[nodiscard]] std::string plain_name(std::string_view name);

}  // namespace nw::io
