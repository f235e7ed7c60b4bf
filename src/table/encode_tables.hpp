// Private: tables as points, once it is known which rows and columns belong together.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "nw/io/raw_table.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::table {

struct TableSides {
  const io::RawTable* x = nullptr;
  const io::RawTable* y = nullptr;  ///< null for one data set
  std::vector<bool> counters;       ///< by column of X: counts the rows of its file
  std::optional<std::size_t> split_column;
};

/// Which columns of a table as it was read count its rows.
[[nodiscard]] std::vector<bool> row_counters(const io::RawTable& table);

/// The classes in a column; nothing where none is named. Throws IoError for a row without one.
[[nodiscard]] std::optional<io::Labels> labels_of(const io::RawTable& table,
                                                  const std::string& column);

[[nodiscard]] Inputs encode_sides(const TableSides& sides, const TableOptions& options);

}  // namespace nw::table
