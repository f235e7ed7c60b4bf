// Safetensors files in memory, as models go to and from bytes.
#pragma once

#include <span>
#include <string>

#include "nw/io/safetensors.hpp"

namespace nw::io {

/// What write_safetensors would write.
[[nodiscard]] std::string safetensors_bytes(std::span<const TensorView> tensors,
                                            const TensorMetadata& metadata);

/// Reads them. Throws IoError that starts with `source`.
[[nodiscard]] TensorFile parse_safetensors(const std::string& bytes, const std::string& source);

}  // namespace nw::io
