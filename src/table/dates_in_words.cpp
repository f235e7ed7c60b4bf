#include "table/dates_in_words.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "table/column_names.hpp"

namespace nw::table {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_number(const std::string& part) {
  return !part.empty() && part.size() <= 4 && std::ranges::all_of(part, is_digit);
}

/// Runs of digits and runs of letters; nothing where something else than a mark stands between.
std::optional<std::vector<std::string>> parts_of(std::string_view text) {
  constexpr std::string_view kMarks = " -/.,";
  std::vector<std::string> parts;
  char before = ' ';
  for (const char c : text) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!letter && !is_digit(c) && kMarks.find(c) == std::string_view::npos) return {};
    if (letter || is_digit(c)) {
      const bool before_letter =
          (before >= 'A' && before <= 'Z') || (before >= 'a' && before <= 'z');
      if (parts.empty() || (letter ? !before_letter : !is_digit(before))) parts.emplace_back();
      parts.back() += c;
    }
    before = c;
  }
  return parts;
}

/// "Jan", "Sept" and "January" are 1, 9 and 1; 0 for other words.
unsigned month_of(const std::string& part) {
  const std::string word = folded(part);
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (word.size() >= 3 && kMonths[i].starts_with(word)) return static_cast<unsigned>(i) + 1;
  }
  return 0;
}

std::optional<long> year_of(const std::string& part) {
  if (!is_number(part)) return {};
  const long year = std::stol(part);
  if (part.size() == 4) return year >= 1000 && year < 3000 ? std::optional(year) : std::nullopt;
  if (part.size() != 2) return {};
  return year + (year < 70 ? 2000 : 1900);
}

std::optional<CivilDay> in_quarters(const std::vector<std::string>& parts) {
  const auto at = std::ranges::find_if(parts, [](const auto& part) { return folded(part) == "q"; });
  if (parts.size() != 3 || at == parts.end() || at == parts.end() - 1) return {};
  const std::string& number = *(at + 1);
  const auto year = year_of(at == parts.begin() ? parts.back() : parts.front());
  if (!year || number.size() != 1 || number < "1" || number > "4") return {};
  return CivilDay{.year = *year, .month = 3 * static_cast<unsigned>(number[0] - '1') + 1};
}

}  // namespace

std::optional<CivilDay> day_in_words(std::string_view text) {
  const auto parts = parts_of(text);
  if (!parts || parts->size() < 2 || parts->size() > 3) return {};
  if (const auto quarter = in_quarters(*parts)) return quarter;
  const auto words =
      std::ranges::count_if(*parts, [](const auto& part) { return !is_number(part); });
  if (words == 0) {  // 2000-01
    const auto year =
        parts->size() == 2 && parts->front().size() == 4 && text.size() == 7 && text[4] == '-'
            ? year_of(parts->front())
            : std::nullopt;
    const auto month = static_cast<unsigned>(std::stoul(parts->back()));
    if (!year || month < 1 || month > 12) return {};
    return CivilDay{.year = *year, .month = month};
  }
  if (words != 1) return {};
  const std::size_t at = is_number((*parts)[0]) ? 1 : 0;  // a word that is last names no month
  CivilDay date{.month = month_of((*parts)[at])};
  const auto year = year_of(parts->back());
  if (date.month == 0 || at + 1 == parts->size() || !year) return {};
  date.year = *year;
  if (parts->size() == 2) {
    const bool whole_year = parts->back().size() == 4;  // "Jan 12" may be a day as well
    return whole_year ? std::optional(date) : std::nullopt;
  }
  const std::string& day = (*parts)[at == 0 ? 1 : 0];
  if (day.size() > 2) return {};
  date.day = static_cast<unsigned>(std::stoul(day));
  return date.day >= 1 ? std::optional(date) : std::nullopt;
}

}  // namespace nw::table
