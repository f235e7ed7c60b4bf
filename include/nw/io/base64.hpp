// Bytes as text, RFC 4648.
#pragma once

#include <string>
#include <string_view>

namespace nw::io {

[[nodiscard]] std::string base64(std::string_view bytes);

/// Whether `text` is what base64() can have written: its alphabet, its length, its padding.
[[nodiscard]] bool is_base64(std::string_view text);

}  // namespace nw::io
