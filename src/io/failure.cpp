#include "io/failure.hpp"

#include <cstddef>

namespace nw::io {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string two_hex_digits(unsigned char byte) {
  return {kHexDigits[byte >> 4], kHexDigits[byte & 15]};
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string result = "\"";
  for (const char c : text.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += "\\x" + two_hex_digits(byte);
    } else {
      result += c;
    }
  }
  result += text.size() > kShown ? "...\"" : "\"";
  return result;
}

std::string hex_byte(unsigned char byte) {
  return "0x" + two_hex_digits(byte);
}

}  // namespace nw::io
