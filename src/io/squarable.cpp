#include "nw/io/squarable.hpp"

#include "nw/base/error.hpp"
#include "nw/base/value_limit.hpp"

#include "io/failure.hpp"

namespace nw::io {

void require_squarable(const PointSet& points) {
  const auto place = first_unsquarable(points.values);
  if (!place) return;
  const std::string column = points.column_names.empty()
                                 ? std::to_string(place->column + 1)
                                 : "'" + points.column_names[place->column] + "'";
  fail(points.source, "row ", place->row + 1, ", column ", column, ": ",
       points.values(place->row, place->column),
       " is too large, its square overflows; divide the column by a common factor");
}

}  // namespace nw::io
