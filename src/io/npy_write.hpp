// Private: the two parts of an NPY file.
#pragma once

#include <string>
#include <string_view>

#include "nw/io/write.hpp"

namespace nw::io {

/// Format version 1, padded so that the data begins at a multiple of 64 bytes.
[[nodiscard]] std::string npy_header(const ArrayView& values);

/// The values as they lie in memory, which is little-endian and row-major.
[[nodiscard]] std::string_view raw_bytes(const ArrayView& values);

}  // namespace nw::io
