// Private: tables of frequencies, whose rows each stand for several.
#pragma once

#include <string>
#include <vector>

#include "nw/io/raw_table.hpp"

#include "table/typed_column.hpp"

namespace nw::table {

/// Repeats every row as often as its cell in `count_column` says; rows with 0 go. Where that would
/// give more than ten million cells, all counts shrink in proportion, and a note says so. Throws
/// IoError for a count that is missing, negative or not whole, and where all are 0.
void repeat_counted_rows(io::RawTable& table, const std::string& count_column);

/// A sentence that offers `count_column` where one of the columns that are used looks like counts
/// of rows that are all different without it; empty otherwise.
[[nodiscard]] std::string advice_on_counts(const std::vector<TypedColumn>& columns);

}  // namespace nw::table
