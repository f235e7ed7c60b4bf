// Columns by which one table could be parted into two.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

namespace nw::table {

struct SplitChoice {
  std::string column = {};
  std::vector<std::string> values = {};  ///< in order: 2 to 6
};

/// Columns with few values that many rows have each, those with the fewest values first; at most
/// `most` of them.
[[nodiscard]] std::vector<SplitChoice> split_choices(const io::RawTable& table,
                                                     std::size_t most = 3);

/// The same for the first rows of a file, or of the first of several; none for images and arrays.
/// Throws IoError where it cannot be read.
[[nodiscard]] std::vector<SplitChoice> split_choices(const std::string& files,
                                                     const io::LoadOptions& load);

/// "split its rows with `by` COLUMN, such as `by` sex or `by` island `from` Biscoe `to` Dream";
/// without such a column, how it is done.
[[nodiscard]] std::string advice_on_splits(const std::vector<SplitChoice>& choices);

}  // namespace nw::table
