// Private: idx headers.
#pragma once

#include <optional>

#include "io/byte_stream.hpp"
#include "io/elements.hpp"

namespace nw::io {

[[nodiscard]] std::optional<ElementType> idx_element_type(unsigned char code);

/// Reads up to the first byte of data. Throws IoError on anything else.
[[nodiscard]] ArrayLayout read_idx_header(ByteStream& stream);

}  // namespace nw::io
