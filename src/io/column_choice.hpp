// Private: which columns of a table are coordinates, label and weight.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "nw/io/points.hpp"

namespace nw::io {

/// Columns are counted from 0 here, from 1 wherever a user sees them.
struct ColumnChoice {
  std::vector<std::size_t> coordinates;  ///< in the order of the matrix
  std::optional<std::size_t> label, weight;
};

/// Resolves the names and numbers of `options` against a table of `count` columns. `names` may be
/// empty. Throws IoError naming `file` for a column it does not have or that is chosen twice: which
/// column a text stands for is up to the header.
[[nodiscard]] ColumnChoice choose_columns(const LoadOptions& options, std::size_t count,
                                          const std::vector<std::string>& names,
                                          const std::string& file);

}  // namespace nw::io
