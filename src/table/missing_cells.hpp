// Private: cells without a value in the columns that are used.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/io/raw_table.hpp"

#include "table/typed_column.hpp"

namespace nw::table {

/// Rows of one side without a missing value in a column that is used.
[[nodiscard]] std::vector<std::size_t> complete_rows(const std::vector<TypedColumn*>& used,
                                                     SideValues TypedColumn::*side,
                                                     std::size_t rows);

/// Throws IoError naming the first missing value; `y` may be null.
void refuse_missing(const std::vector<TypedColumn*>& used, const io::RawTable& x,
                    const io::RawTable* y);

}  // namespace nw::table
