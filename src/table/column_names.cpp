#include "table/column_names.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/suggestion.hpp"

#include "base/ordinal.hpp"

namespace nw::table {
namespace {

/// `pattern` may contain * for any text and ? for one character.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, back = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      back = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++back;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::string folded(std::string_view name) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!name.empty() && blank(name.front())) name.remove_prefix(1);
  while (!name.empty() && blank(name.back())) name.remove_suffix(1);
  std::string text(name);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

ColumnNames::ColumnNames(std::vector<std::string> names, std::string file)
    : names_(std::move(names)), file_(std::move(file)) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (folded(names_[i]).empty()) names_[i] = concat("column ", i + 1);
    folded_.push_back(folded(names_[i]));
  }
}

std::optional<std::size_t> ColumnNames::by_name(std::string_view name) const {
  const std::string wanted = folded(name);
  if (wanted.empty()) return {};
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < folded_.size(); ++i) {
    if (folded_[i] != wanted) continue;
    if (names_[i] == name) return i;  // the same case wins
    if (!found) found = i;
  }
  return found;
}

std::vector<std::size_t> ColumnNames::find(const std::string& text) const {
  if (const auto column = by_name(text)) return {*column};
  const std::string wanted = folded(text);
  if (const auto number = parse_ordinal(wanted)) {
    if (*number > size()) unknown(text);
    return {*number - 1};
  }
  std::vector<std::size_t> found;
  if (const std::size_t dash = wanted.find('-'); dash != std::string::npos) {
    const auto first = parse_ordinal(std::string_view(wanted).substr(0, dash));
    const auto last = parse_ordinal(std::string_view(wanted).substr(dash + 1));
    if (first && last && *first <= *last && *last <= size()) {
      for (std::size_t i = *first; i <= *last; ++i) found.push_back(i - 1);
      return found;
    }
  }
  if (wanted.find_first_of("*?") != std::string::npos) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (matches(wanted, folded_[i])) found.push_back(i);
    }
  }
  if (found.empty()) unknown(text);
  return found;
}

std::size_t ColumnNames::find_one(const std::string& text, const char* purpose) const {
  const std::vector<std::size_t> found = find(text);
  require(found.size() == 1, purpose, ": \"", text, "\" stands for ", found.size(),
          " columns; give one");
  return found.front();
}

void ColumnNames::unknown(const std::string& text) const {
  std::string listing;
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < std::min(size(), kShown); ++i) {
    listing += (i == 0 ? "" : ", ") + names_[i];
  }
  if (size() > kShown) listing += concat(", ... (", size(), " in all)");
  std::string hint = did_you_mean(folded(text), folded_);
  throw IoError(
      concat(file_, ": has no column \"", text, "\"", hint, "; its columns are ", listing));
}

}  // namespace nw::table
