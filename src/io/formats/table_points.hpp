// Private: points from a table whose columns have types.
#pragma once

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

namespace nw::io {

/// The chosen columns as coordinates, label and weight, as `options` say. Throws IoError naming the
/// column, row and value of a coordinate that is text or missing.
[[nodiscard]] PointSet points_from_table(const RawTable& table, const LoadOptions& options);

}  // namespace nw::io
