// SHA-256 (FIPS 180-4), to tell whether a file is the one it should be.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace nw::data {

/// The digest as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

}  // namespace nw::data
