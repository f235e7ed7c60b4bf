// Private: numbers, dates and truth values as people write them in cells of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nw/base/number_text.hpp"

namespace nw::table {

/// How the numbers of a column are written.
struct NumberStyle {
  char decimal = '.';
  bool percent = false, currency = false, thousands = false;  ///< marks that were seen
};

/// The style in which every one of `cells` is a number; nothing when there is none. A share of
/// `tolerated` cells may be something else.
struct WrittenNumbers {
  NumberStyle style;
  std::vector<std::optional<double>> values;  ///< one per cell
  std::size_t others = 0;                     ///< cells that are not numbers
};
[[nodiscard]] WrittenNumbers read_numbers(const std::vector<std::string>& cells);

/// One number in either notation, with %, currency and marks between thousands.
[[nodiscard]] std::optional<double> written_number(std::string_view cell, char decimal,
                                                   NumberStyle& seen);

/// Dates and times of one column: ISO 8601, 2024/01/31, 31.01.2024, 31/01/2024 or 01/31/2024, and
/// what day_in_words reads.
struct WrittenDates {
  std::vector<double> seconds;  ///< since 1970-01-01 00:00 UTC; empty unless every cell is a date
  std::string note;             ///< how days and months were told apart, where that was a choice
};
[[nodiscard]] WrittenDates read_dates(const std::vector<std::string>& cells);

/// Midnight of the day that 20240131 stands for; nothing where there is no such day.
[[nodiscard]] std::optional<double> seconds_of_written_day(double number);

/// The start and the end (not included) of what a date stands for, in seconds: 2023 is a year,
/// 2023-05 a month, 2023-05-17 a day.
struct TimeSpan {
  double begin = 0.0, end = 0.0;
};
[[nodiscard]] std::optional<TimeSpan> time_span(std::string_view text);

/// true, yes, t, y and the like; nothing for other words.
[[nodiscard]] std::optional<bool> written_boolean(std::string_view cell);

}  // namespace nw::table
