// Private: tables of text as columns.
#pragma once

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

#include "io/byte_stream.hpp"

namespace nw::io {

/// Text with delimiters, in UTF-8, UTF-16 or Latin-1. Packed streams announce no size: they are cut
/// off at options.max_unpacked_bytes.
[[nodiscard]] RawTable read_raw_csv(ByteStream& stream, const LoadOptions& options);

}  // namespace nw::io
