// Private: tables of text as columns.
#pragma once

#include <memory>

#include "nw/io/load_input.hpp"

#include "io/byte_stream.hpp"

namespace nw::io {

/// Text with delimiters, in UTF-8, UTF-16 or Latin-1. Packed streams announce no size: they are cut
/// off at options.max_unpacked_bytes.
[[nodiscard]] std::unique_ptr<TableBlocks> open_raw_csv(std::unique_ptr<ByteStream> stream,
                                                        const LoadOptions& options);

}  // namespace nw::io
