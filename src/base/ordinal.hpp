// Private: numbers that count from one.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace nw {

/// Parses a whole text as a number from 1.
[[nodiscard]] inline std::optional<std::size_t> parse_ordinal(std::string_view text) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size() || value == 0) return {};
  return value;
}

}  // namespace nw
