// Private: what a reader is told about the columns of tables.
#pragma once

#include <vector>

#include "nw/table/description.hpp"

#include "table/encode_tables.hpp"
#include "table/typed_column.hpp"

namespace nw::table {

/// Many columns of whole numbers from 0 to 255 are pixels, which have a common scale already.
[[nodiscard]] bool are_pixels(const std::vector<TypedColumn*>& used);

/// Adds sources, rows, notes of the files, and a report on every column. Columns that tell X from Y
/// by themselves get a note that says so.
void describe_tables(const TableSides& sides, const std::vector<TypedColumn*>& used,
                     const std::vector<TypedColumn>& columns, Description& description);

}  // namespace nw::table
