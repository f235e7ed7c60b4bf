// Private: rows and whole tables put together and taken apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"
#include "nw/table/options.hpp"
#include "nw/table/row_split.hpp"

namespace nw::table {

/// The given rows of a table, in that order.
[[nodiscard]] io::RawTable take_rows(const io::RawTable& table,
                                     const std::vector<std::size_t>& rows);

/// Leaves only these rows of a table, which ascend, and only the levels that they have.
void keep_rows(io::RawTable& table, const std::vector<std::size_t>& rows);

/// Adds the rows of another table of the same columns, matched by name where both have names.
/// Throws IoError naming the column that one of them lacks.
void append_table(io::RawTable& table, const io::RawTable& more);

/// Points of an array as a table without names.
[[nodiscard]] io::RawTable as_table(const io::PointSet& points);

/// One table as two.
struct SplitTable {
  io::RawTable x, y;
  RowSplit rule;
  std::size_t column = 0;    ///< that the rows were told apart by
  std::size_t left_out = 0;  ///< rows that are neither
};

/// Parts the rows by the values of a column. Throws IoError listing its values when that cannot be
/// done.
[[nodiscard]] SplitTable split_table(const io::RawTable& table, const BySplit& by);

/// Further rows of such a table, parted as the first ones were; either part may be empty.
struct TwoTables {
  io::RawTable x, y;
};
[[nodiscard]] TwoTables split_like(const RowSplit& split, const io::RawTable& table);

}  // namespace nw::table
