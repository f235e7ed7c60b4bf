// Private: the wording every IoError of this folder shares.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "nw/base/error.hpp"

namespace nw::io {

/// Throws IoError "<file>: <parts>".
template <typename... Parts>
[[noreturn]] void fail(std::string_view file, const Parts&... parts) {
  throw IoError(concat(file, ": ", parts...));
}

/// What the operating system says about `error`.
[[nodiscard]] inline std::string system_reason(int error) {
  return std::generic_category().message(error);
}

/// `text` between double quotes for a message: at most 40 bytes of it, unprintable ones as \xNN.
[[nodiscard]] std::string shown(std::string_view text);

/// A byte as 0xNN.
[[nodiscard]] std::string hex_byte(unsigned char byte);

}  // namespace nw::io
