#include "table/written_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "table/column_names.hpp"
#include "table/dates_in_words.hpp"

namespace nw::table {
namespace {

constexpr std::array<std::string_view, 12> kCurrencies = {
    "$", "\u20ac", "\u00a3", "\u00a5", "usd", "eur", "gbp", "chf", "jpy", "kr", "us$", "cad"};

void strip(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
}

bool same_letters(std::string_view text, std::string_view lower) {
  return folded(text) == lower;
}

bool strip_currency(std::string_view& text) {
  for (const std::string_view sign : kCurrencies) {
    if (text.size() <= sign.size()) continue;
    if (same_letters(text.substr(0, sign.size()), sign)) {
      text.remove_prefix(sign.size());
    } else if (same_letters(text.substr(text.size() - sign.size()), sign)) {
      text.remove_suffix(sign.size());
    } else {
      continue;
    }
    strip(text);
    return true;
  }
  return false;
}

/// Marks between thousands besides point and comma: blanks, narrow and unbreakable ones, and '.
std::string without_blanks_between_groups(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    bool mark = false;
    for (const std::string_view blank : {" ", "\u00a0", "\u202f", "'", "\u2019"}) {
      if (rest.starts_with(blank) && i > 0) {
        i += blank.size() - 1;
        mark = true;
        break;
      }
    }
    if (!mark) plain += text[i];
  }
  return plain;
}

std::optional<double> plain_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

/// Every mark stands before three digits and behind one to three.
bool groups_are_right(std::string_view text, char mark) {
  std::size_t digits = 0;
  bool grouped = false;
  for (const char c : text) {
    if (c == mark) {
      if (digits == 0 || digits > 3 || (grouped && digits != 3)) return false;
      grouped = true;
      digits = 0;
    } else if (c >= '0' && c <= '9') {
      ++digits;
    } else if (c != '-' && c != '+') {
      break;  // the decimals
    }
  }
  return !grouped || digits == 3;
}

// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days of the proleptic Gregorian
// calendar since 1970-01-01.
long days_from_civil(long y, unsigned m, unsigned d) {
  y -= m <= 2;
  const long era = (y >= 0 ? y : y - 399) / 400;
  const auto yoe = static_cast<unsigned>(y - era * 400);
  const unsigned doy = (153 * (m + (m > 2 ? -3u : 9u)) + 2) / 5 + d - 1;
  const unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return era * 146097 + static_cast<long>(doe) - 719468;
}

unsigned days_in_month(long y, unsigned m) {
  constexpr std::array<unsigned, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
  return m == 2 && leap ? 29 : kDays[m - 1];
}

/// Reads `digits` digits, or one to `digits` when `exact` is false, and moves behind them.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t digits, bool exact = true) {
  unsigned value = 0;
  std::size_t taken = 0;
  while (taken < digits && taken < text.size() && text[taken] >= '0' && text[taken] <= '9') {
    value = value * 10 + static_cast<unsigned>(text[taken++] - '0');
  }
  if (taken == 0 || (exact && taken != digits)) return {};
  text.remove_prefix(taken);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds since midnight, corrected for a time zone; moves behind what it reads.
std::optional<double> take_time(std::string_view& text) {
  const auto hour = take_digits(text, 2, false);
  if (!hour || *hour > 24 || !take(text, ':')) return {};
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return {};
  double seconds = 3600.0 * *hour + 60.0 * *minute;
  if (take(text, ':')) {
    const auto second = take_digits(text, 2);
    if (!second || *second > 60) return {};
    seconds += *second;
    if (take(text, '.') || take(text, ',')) {
      double unit = 0.1;
      while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
        seconds += unit * (text.front() - '0');
        unit *= 0.1;
        text.remove_prefix(1);
      }
    }
  }
  strip(text);
  if (folded(text) == "pm" || folded(text) == "am") {
    if (folded(text) == "pm" && *hour < 12) seconds += 12 * 3600.0;
    text = {};
  } else if (folded(text) == "utc" || folded(text) == "gmt" || text == "Z") {
    text = {};
  } else if (text.starts_with('+') || text.starts_with('-')) {
    const double sign = text.front() == '-' ? -1.0 : 1.0;
    text.remove_prefix(1);
    const auto zone_hour = take_digits(text, 2);
    take(text, ':');
    const auto zone_minute = text.empty() ? std::optional<unsigned>(0) : take_digits(text, 2);
    if (!zone_hour || !zone_minute) return {};
    seconds -= sign * (3600.0 * *zone_hour + 60.0 * *zone_minute);
  }
  return seconds;
}

/// A date whose month is a word, a month, or a quarter.
std::optional<double> date_in_words(std::string_view text) {
  strip(text);
  const auto date = day_in_words(text);
  if (!date || date->day > days_in_month(date->year, date->month)) return {};
  return 86400.0 * static_cast<double>(days_from_civil(date->year, date->month, date->day));
}

enum class DateOrder { year_first, in_words, day_first, month_first };

std::optional<double> written_date(std::string_view text, DateOrder order) {
  if (order == DateOrder::in_words) return date_in_words(text);
  strip(text);
  std::optional<unsigned> year, month, day;
  if (order == DateOrder::year_first) {
    year = take_digits(text, 4);
    const char mark = text.empty() ? '\0' : text.front();
    if (mark != '-' && mark != '/' && mark != '.') return {};
    take(text, mark);
    month = take_digits(text, 2, false);
    if (!take(text, mark)) return {};
    day = take_digits(text, 2, false);
  } else {
    auto& first = order == DateOrder::day_first ? day : month;
    auto& second = order == DateOrder::day_first ? month : day;
    first = take_digits(text, 2, false);
    const char mark = text.empty() ? '\0' : text.front();
    if (mark != '-' && mark != '/' && mark != '.') return {};
    take(text, mark);
    second = take_digits(text, 2, false);
    if (!take(text, mark)) return {};
    const std::size_t before = text.size();
    year = take_digits(text, 4, false);
    const std::size_t digits = before - text.size();
    if (digits == 2) {
      *year += *year < 70 ? 2000 : 1900;
    } else if (digits != 4) {
      return {};
    }
  }
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1 ||
      *day > days_in_month(*year, *month))
    return {};
  double seconds = 86400.0 * static_cast<double>(days_from_civil(*year, *month, *day));
  if (text.empty()) return seconds;
  if (!take(text, 'T') && !take(text, ' ')) return {};
  strip(text);
  const auto time = take_time(text);
  if (!time || !text.empty()) return {};
  return seconds + *time;
}

}  // namespace

std::optional<double> written_number(std::string_view cell, char decimal, NumberStyle& seen) {
  strip(cell);
  bool negative = false;
  if (cell.size() > 2 && cell.front() == '(' && cell.back() == ')') {  // as bookkeepers write it
    cell = cell.substr(1, cell.size() - 2);
    negative = true;
  }
  if (cell.size() > 1 && cell.front() == '-') {
    negative = !negative;
    cell.remove_prefix(1);
  }
  if (cell.size() > 1 && cell.back() == '%') {
    seen.percent = true;
    cell.remove_suffix(1);
    strip(cell);
  }
  if (strip_currency(cell)) seen.currency = true;
  if (cell.empty() || cell.find_first_of("0123456789") == std::string_view::npos) return {};
  std::string text = without_blanks_between_groups(cell);
  const char group = decimal == '.' ? ',' : '.';
  if (text.size() != cell.size() || text.find(group) != std::string::npos) seen.thousands = true;
  if (!groups_are_right(text, group)) return {};
  std::erase(text, group);
  if (decimal == ',') std::ranges::replace(text, ',', '.');
  const auto value = plain_number(text);
  if (!value) return {};
  return negative ? -*value : *value;
}

WrittenNumbers read_numbers(const std::vector<std::string>& cells) {
  WrittenNumbers best;
  for (const char decimal : {'.', ','}) {
    WrittenNumbers tried;
    tried.style.decimal = decimal;
    for (const std::string& cell : cells) {
      NumberStyle seen = tried.style;
      tried.values.push_back(written_number(cell, decimal, seen));
      if (tried.values.back()) {
        tried.style = seen;
      } else {
        ++tried.others;
      }
    }
    if (best.values.empty() || tried.others < best.others) best = std::move(tried);
  }
  return best;
}

WrittenDates read_dates(const std::vector<std::string>& cells) {
  const auto all = [&](DateOrder order) {
    std::vector<double> seconds;
    for (const std::string& cell : cells) {
      const auto value = written_date(cell, order);
      if (!value) return std::vector<double>();
      seconds.push_back(*value);
    }
    return seconds;
  };
  WrittenDates dates;
  for (const DateOrder order : {DateOrder::year_first, DateOrder::in_words}) {
    dates.seconds = all(order);
    if (!dates.seconds.empty() || cells.empty()) return dates;
  }
  std::vector<double> day_first = all(DateOrder::day_first);
  std::vector<double> month_first = all(DateOrder::month_first);
  const bool both = !day_first.empty() && !month_first.empty();
  // 31.01.2024 is written where days come first; with slashes the other habit is more common.
  const bool points = !cells.empty() && cells.front().find('.') != std::string::npos;
  const bool days = both ? points : !day_first.empty();
  dates.seconds = days ? std::move(day_first) : std::move(month_first);
  if (both && !points) dates.note = "read as month/day/year";
  return dates;
}

std::optional<double> seconds_of_written_day(double number) {
  if (!(number >= 1.0 && number < 1e8) || number != std::floor(number)) return {};
  const auto digits = static_cast<unsigned>(number);
  const long year = digits / 10000;
  const unsigned month = digits / 100 % 100, day = digits % 100;
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return {};
  return 86400.0 * static_cast<double>(days_from_civil(year, month, day));
}

std::optional<TimeSpan> time_span(std::string_view text) {
  strip(text);
  std::string_view rest = text;
  const auto year = take_digits(rest, 4);
  if (year && rest.empty()) {
    return TimeSpan{86400.0 * static_cast<double>(days_from_civil(*year, 1, 1)),
                    86400.0 * static_cast<double>(days_from_civil(*year + 1L, 1, 1))};
  }
  if (year && take(rest, '-')) {
    const auto month = take_digits(rest, 2);
    if (month && rest.empty() && *month >= 1 && *month <= 12) {
      const long next_year = *month == 12 ? *year + 1L : static_cast<long>(*year);
      const unsigned next = *month == 12 ? 1 : *month + 1;
      return TimeSpan{86400.0 * static_cast<double>(days_from_civil(*year, *month, 1)),
                      86400.0 * static_cast<double>(days_from_civil(next_year, next, 1))};
    }
  }
  const WrittenDates date = read_dates({std::string(text)});
  if (date.seconds.empty()) return {};
  const bool has_time = text.find(':') != std::string_view::npos;
  return TimeSpan{date.seconds[0], date.seconds[0] + (has_time ? 1.0 : 86400.0)};
}

std::optional<bool> written_boolean(std::string_view cell) {
  const std::string word = folded(cell);
  for (const char* yes : {"true", "t", "yes", "y", "on"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "f", "no", "n", "off"}) {
    if (word == no) return false;
  }
  return {};
}

}  // namespace nw::table
