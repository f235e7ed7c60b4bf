// One side of a comparison, as its record names it.
#pragma once

#include <string>

#include "nw/record/start_record.hpp"

namespace nw::app {

/// `side` is the name of points that come from no file.
[[nodiscard]] inline record::DataSet describe_side(const io::PointSet& points,
                                                   const std::string& path, const char* side) {
  record::DataSet set = record::describe(points, path);
  if (path.empty()) set.name = side;
  return set;
}

}  // namespace nw::app
