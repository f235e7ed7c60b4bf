// Files whose values are too large for moments and squared distances.
#pragma once

#include "nw/io/points.hpp"

namespace nw::io {

/// Throws IoError naming file, row, column and value unless all values can be squared.
void require_squarable(const PointSet& points);

}  // namespace nw::io
