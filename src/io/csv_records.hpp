// Private: where the records of a table end, what separates their cells, and which names they have.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/points.hpp"

namespace nw::io {

/// Stands for "any run of blanks and tabs" where a delimiter is expected.
inline constexpr char kBlanks = ' ';

/// Length of the longest prefix of `text` that consists of whole records. Newlines between double
/// quotes do not end a record.
[[nodiscard]] std::size_t whole_records(std::string_view text);

/// Length of the first record with its newline; all of `text` if there is none.
[[nodiscard]] std::size_t first_record(std::string_view text);

/// The cells of one record, without blanks around them and without quotes.
[[nodiscard]] std::vector<std::string> split_record(std::string_view record, char delimiter);

/// A piece at the start of a text.
struct Extent {
  std::size_t bytes = 0, lines = 0;
};

/// What stands before the table.
struct Preamble : Extent {
  char delimiter = '\0';  ///< of a line `sep=;`, as spreadsheets write it; '\0' without one
};

/// The byte order mark, blank lines, lines that begin with '#' and a line `sep=`.
[[nodiscard]] Preamble preamble(std::string_view text);

/// What the first lines of a table say about the rest.
struct Dialect {
  char delimiter = ',';
  char decimal = '.';  ///< ',' where the first rows write 1,5 and none writes 1.5
  std::size_t columns = 0;
  std::vector<std::string> names;  ///< empty without header
  std::vector<std::string> above;  ///< lines before the header that are no part of the table
  bool nameless_first = false;     ///< the header has one name less than there are columns
  Extent header;                   ///< what comes before the first row
};

/// `start` is the table behind its preamble: at least two records, or all there is. Throws IoError
/// when there is no row.
[[nodiscard]] Dialect find_dialect(std::string_view start, const LoadOptions& options,
                                   const std::string& file);

/// The first records of a text, without blank ones; at most `count`, and only whole ones unless the
/// text ends with the last.
[[nodiscard]] std::vector<std::string_view> first_records(std::string_view text, std::size_t count);

/// Throws IoError when `start` is not text, with the first byte that says so.
void require_text(std::string_view start, const std::string& file);

}  // namespace nw::io
