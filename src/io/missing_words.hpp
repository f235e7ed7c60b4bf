// Private: how tables write that a value is missing.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace nw::io {

/// Whether a cell, without blanks around it, stands for a missing value. Upper and lower case are
/// the same.
[[nodiscard]] inline bool is_missing_word(std::string_view cell) {
  if (cell.empty()) return true;
  if (cell.size() > 6) return false;
  constexpr std::array<std::string_view, 11> kWords = {"na", "n/a", "nan",  "null", "none", "?",
                                                       "-",  ".",   "#n/a", "<na>", "nat"};
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  };
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return cell.size() == word.size() && std::equal(cell.begin(), cell.end(), word.begin(), same);
  });
}

}  // namespace nw::io
