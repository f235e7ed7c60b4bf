// Private: chooses the encoding of columns from the data of both sides.
#pragma once

#include <vector>

#include "nw/table/encoding.hpp"

#include "table/pooled.hpp"

namespace nw::table {

/// `columns` are those in use, in the order of their names; what is worth knowing about one (heavy
/// tails, rare levels) goes to its notes.
[[nodiscard]] Encoding fit_encoding(std::vector<TypedColumn*>& columns, const RowWeights& weights,
                                    Scale scale);

/// The points of one side.
[[nodiscard]] Matrix encode_side(const Encoding& encoding, const std::vector<TypedColumn*>& columns,
                                 SideValues TypedColumn::*side, std::size_t rows);

/// The coordinates of one column for cells whose levels are those of the typed column.
void encode_column(const ColumnEncoding& encoding, Scale scale, const SideValues& cells,
                   const std::vector<std::string>& levels, Matrix& points);

}  // namespace nw::table
