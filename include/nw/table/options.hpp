// What a table means: kinds of columns, and how they become coordinates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nw::table {

/// What the values of a column are. The last three are left out unless a user asks for them.
enum class Kind {
  numeric,      ///< amounts
  integer,      ///< amounts that are whole
  boolean,      ///< one of two
  categorical,  ///< one of several levels
  datetime,     ///< seconds since 1970
  identifier,   ///< names a row: all different, or row numbers
  text,         ///< free text
  constant,     ///< one value in every row
};
[[nodiscard]] const char* to_string(Kind kind);
/// Nothing for a text that names no kind.
[[nodiscard]] std::optional<Kind> kind_from(std::string_view text);

/// What becomes of missing values.
enum class Missing {
  keep,   ///< they are part of the distribution: see Encoding
  drop,   ///< rows with one are left out
  error,  ///< they are refused
};

/// How numeric columns are brought to a common scale, by moments of X and Y weighing the same.
enum class Scale {
  none,    ///< the units of the data
  std,     ///< mean and standard deviation
  robust,  ///< median and 10-90 % range; logarithmic beyond three deviations
  rank,    ///< the share of smaller values
};
[[nodiscard]] const char* to_string(Scale scale);

/// Which rows are X and which are Y when both come from one table.
struct BySplit {
  std::string column = {};  ///< empty: no split
  /// Values of X and of Y: a level, several with commas between, a number, a date or the start of
  /// one (2023, 2023-05), or a range `low..high` with both ends, one of which may be absent. Both
  /// empty: the column must have two values. One empty: all other rows.
  std::string from = {}, to = {};

  [[nodiscard]] bool given() const noexcept { return !column.empty(); }
};

/// What to take from a table and how. Columns are given by name (upper and lower case are the
/// same), number from 1, range such as "2-5", or pattern such as "bill_*".
struct TableOptions {
  std::vector<std::string> columns = {};  ///< empty: all that can be used
  std::vector<std::string> exclude = {};
  /// Kinds of columns where the inferred ones are wrong.
  std::vector<std::pair<std::string, Kind>> types = {};
  std::string label_column = {}, weight_column = {};  ///< not coordinates; empty: none
  /// A column that says for how many rows each one stands, as in tables of frequencies; empty: one.
  std::string count_column = {};
  /// The label of Y where it is another column; empty: Y has none. Not given: the column of Y that
  /// has the name of X's, where there is one.
  std::optional<std::string> label_column_y = {};
  BySplit by = {};
  Missing missing = Missing::keep;
  /// Not given: robust for tables, none for arrays and images, which are numbers of one kind.
  std::optional<Scale> scale = {};
  /// Only columns of numbers become coordinates: for distances in the units of the data.
  bool numbers_only = false;
  /// Larger tables are represented by a uniform sample of their rows with this many cells a side,
  /// and their files may be larger than memory. 0: every row. Not with a file of labels.
  std::size_t most_cells = 0;
  /// A column on one side only is an error rather than left out.
  bool strict = false;

  /// Throws InvalidArgument naming the first field that contradicts another.
  void validate() const;
};

}  // namespace nw::table
