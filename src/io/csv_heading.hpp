// Private: what stands between the top of a file and the first row of its table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nw::io {

/// How many records decide what a table looks like.
inline constexpr std::size_t kLookedAtRecords = 50;

/// A number, date, time, percentage or amount: made of digits and the marks of these. nan and inf
/// count: a missing value must not turn a row into a header.
[[nodiscard]] bool is_value(std::string_view cell);

/// Whether the first record names the columns of the others: it has a text above a value and no
/// value itself, or, in a table of text alone, texts that never occur again while others do.
[[nodiscard]] bool looks_like_header(const std::vector<std::string>& first,
                                     const std::vector<std::vector<std::string>>& rest);

/// Where a table begins among the first records of a file.
struct TableStart {
  std::size_t above = 0;  ///< records before the header or the first row: titles, counts of rows
  char delimiter = ',';
  /// The header lacks one name, that of the first column, as R writes tables with row names.
  bool rows_have_names = false;
};

/// `records` are not empty; `delimiter` is '\0' where it has to be found. A file whose records do
/// not fit together begins at its first one: whoever reads the rows says what is wrong.
[[nodiscard]] TableStart find_table_start(const std::vector<std::string_view>& records,
                                          char delimiter);

}  // namespace nw::io
