#include "nw/io/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace nw::io {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= left ? kDigits[group >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return out;
}

bool is_base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  const std::size_t digits = std::min(text.find('='), text.size());
  return text.size() - digits <= 2 &&
         text.find_first_not_of(kDigits.data(), 0, kDigits.size()) >= digits &&
         text.substr(digits).find_first_not_of('=') == std::string_view::npos;
}

}  // namespace nw::io
