// What was made of the columns of a table, for people and for records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/table/options.hpp"

namespace nw::table {

struct ColumnReport {
  std::string name = {};
  Kind kind = Kind::numeric;
  bool used = true;
  std::string reason = {};              ///< why it is left out
  std::vector<std::string> notes = {};  ///< how it was read: percentages, heavy tails, rare levels
  std::size_t levels = 0;               ///< of a boolean or categorical column
  double missing_x = 0.0, missing_y = 0.0;  ///< shares of the rows
  double missing_p = 1.0;        ///< of "the same share is missing in X and Y", two proportions
  bool missing_changed = false;  ///< missing_p is significant, corrected for the number of columns
};

/// A table has columns; arrays and images leave `columns` empty.
struct Description {
  std::string x = {}, y = {};  ///< what the sides are: a file, or "island = Biscoe"
  std::size_t rows_x = 0, rows_y = 0;
  /// Rows in the files of each side: more than `rows_x` and `rows_y` where those are a sample. For
  /// one table that is split, `rows_read_x` are those of the table.
  std::size_t rows_read_x = 0, rows_read_y = 0;
  bool sampled_x = false, sampled_y = false;  ///< memory was given for a part of these rows
  bool rows_dropped = false;                  ///< those with missing values
  std::vector<ColumnReport> columns = {};     ///< in the order of the file
  std::vector<std::string> notes = {};        ///< about files and rows, a clause each
  std::string advice = {};                    ///< a sentence: how the table was meant, perhaps
  Scale scale = Scale::none;

  [[nodiscard]] bool empty() const noexcept { return columns.empty(); }
};

/// At most three lines for people: what is used, what is left out, what is missing.
[[nodiscard]] std::vector<std::string> summary_lines(const Description& description);

/// One line per column, and the notes.
[[nodiscard]] std::string full_text(const Description& description);

}  // namespace nw::table
