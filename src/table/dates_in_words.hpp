// Private: dates whose month is a word, and quarters.
#pragma once

#include <optional>
#include <string_view>

namespace nw::table {

/// A day of the calendar; a month or quarter is its first day.
struct CivilDay {
  long year = 0;
  unsigned month = 1, day = 1;
};

/// Jan 1 2000, January 1, 2000, 1 Jan 2000, 12-Jan-98, Jan 2000, 2000-01, 1974Q1, 1974-Q1, Q1 1974.
/// Nothing for other texts, and for months without a year. The day may be one that the month has
/// not.
[[nodiscard]] std::optional<CivilDay> day_in_words(std::string_view text);

}  // namespace nw::table
