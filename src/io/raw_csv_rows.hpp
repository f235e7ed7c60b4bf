// Private: the cells of a table of text as columns, parsed block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/raw_table.hpp"

#include "io/csv_cells.hpp"
#include "io/level_codes.hpp"

namespace nw::io {

/// A column under construction. It holds numbers until a cell comes that is none. From then on
/// numbers are text too, in their shortest form, because how they were written is gone.
class ColumnBuilder {
 public:
  /// A column that is text from the start keeps every cell as it is written.
  explicit ColumnBuilder(bool text = false) : text_(text), verbatim_(text) {}

  void add_number(double value) { numbers_.push_back(value); }
  void add_inexact_number(double value) {
    numbers_.push_back(value);
    inexact_ = true;
  }
  void add_missing();
  void add_text(std::string_view cell);
  void append(const ColumnBuilder& other);
  void clear();
  void reserve(std::size_t rows);

  [[nodiscard]] bool is_text() const noexcept { return text_; }
  [[nodiscard]] RawColumn finish(std::string name);

 private:
  void become_text();
  void add_shortest(double value);

  bool text_, verbatim_, inexact_ = false;
  std::size_t missing_ = 0;
  std::vector<double> numbers_;
  LevelCodes levels_;
  std::vector<std::uint32_t> codes_;
};

struct RawLayout {
  char delimiter = ',', decimal = '.';
  std::vector<std::string> names;  ///< of the columns, or empty
  std::vector<bool> text;          ///< by column: text from the start
};

/// Rows of one block. Blocks are parsed on different threads and joined in order, so a block
/// reports its first problem rather than throwing.
struct RawBlock {
  std::vector<ColumnBuilder> columns;
  std::size_t rows = 0, lines = 0;
  std::size_t comments = 0;  ///< lines that begin with # and are not a row
  /// Lines of text behind the last row that are not rows; a row that follows makes them a problem.
  std::vector<RowProblem> trailing;
  std::vector<std::string> trailing_text;
  bool row_before_trailing = false;
  std::optional<RowProblem> problem;
};

/// Parses whole records into `out`, which is cleared first.
void parse_raw_rows(std::string_view records, const RawLayout& layout, RawBlock& out);

/// Which columns have a cell among these records that is neither number nor missing.
[[nodiscard]] std::vector<bool> text_columns(const std::vector<std::string_view>& records,
                                             std::size_t columns, char delimiter, char decimal);

}  // namespace nw::io
