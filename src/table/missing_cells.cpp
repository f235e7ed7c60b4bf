#include "table/missing_cells.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"

namespace nw::table {
namespace {

using io::RawColumn;
using io::RawTable;

bool cell_missing(const SideValues& side, std::size_t row) {
  return side.codes.empty() ? std::isnan(side.numbers[row])
                            : side.codes[row] == RawColumn::kMissing;
}

}  // namespace

std::vector<std::size_t> complete_rows(const std::vector<TypedColumn*>& used,
                                       SideValues TypedColumn::*side, std::size_t rows) {
  std::vector<std::size_t> complete;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool whole = std::ranges::none_of(
        used, [&](const TypedColumn* column) { return cell_missing(column->*side, i); });
    if (whole) complete.push_back(i);
  }
  return complete;
}

void refuse_missing(const std::vector<TypedColumn*>& used, const RawTable& x, const RawTable* y) {
  for (const TypedColumn* column : used) {
    for (const bool first : {true, false}) {
      const SideValues& side = first ? column->x : column->y;
      if (side.missing == 0) continue;
      std::size_t row = 0;
      while (!cell_missing(side, row)) ++row;
      throw IoError(concat((first ? x : *y).source, ": column \"", column->name, "\" has ",
                           side.missing, side.missing == 1 ? " missing value" : " missing values",
                           ", the first in row ", row + 1,
                           "; fill them in, or leave these rows out with `missing` drop"));
    }
  }
}

}  // namespace nw::table
