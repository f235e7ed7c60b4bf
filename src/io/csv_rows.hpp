// Private: the rows of a table, parsed block by block.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/column_choice.hpp"
#include "io/csv_cells.hpp"
#include "io/csv_records.hpp"
#include "io/label_column.hpp"

namespace nw::io {

/// What becomes of the cells of one column.
struct ColumnRole {
  enum class Kind { ignored, coordinate, label, weight } kind = Kind::ignored;
  std::size_t coordinate = 0;  ///< column of the matrix
};

struct TableLayout {
  char delimiter = ',';
  std::vector<ColumnRole> roles;   ///< one per column of the file
  std::vector<std::string> names;  ///< of the columns of the file, or empty
  std::size_t dimension = 0;
};

[[nodiscard]] TableLayout lay_out(const Dialect& dialect, const ColumnChoice& choice);

/// Rows of one block. Blocks are parsed on different threads and joined in order, so a block
/// reports its first problem rather than throwing.
struct RowBlock {
  std::vector<double> values, weights;
  LabelColumn labels;
  std::size_t rows = 0, lines = 0;
  std::optional<RowProblem> problem;

  void clear();
};

/// Parses whole records into `out`, which is cleared first.
void parse_rows(std::string_view records, const TableLayout& layout, RowBlock& out);

}  // namespace nw::io
