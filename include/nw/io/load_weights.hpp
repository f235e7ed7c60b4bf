// Weights of points from a file of their own.
#pragma once

#include <string>

#include "nw/io/points.hpp"

namespace nw::io {

/// Reads weights, one number per line or entry, for points that have none yet. Throws IoError when
/// they do not fit the points, InvalidArgument for points that have weights.
void load_weights(const std::string& file, int threads, PointSet& points);

}  // namespace nw::io
