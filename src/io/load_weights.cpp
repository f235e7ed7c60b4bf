#include "nw/io/load_weights.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

namespace nw::io {

void load_weights(const std::string& file, int threads, PointSet& points) {
  require(points.weights.empty(), "give weights by column or by file, not both");
  LoadOptions load;
  load.threads = threads;
  const PointSet weights = load_points(file, load);
  if (weights.dimension() != 1)
    throw IoError(
        concat(file, ": expected one weight per line, found ", weights.dimension(), " columns"));
  if (weights.size() != points.size())
    throw IoError(concat(file, ": ", weights.size(), " weights for the ", points.size(),
                         " points of ", points.source));
  const auto values = weights.values.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0.0))
      throw IoError(concat(file, ": weight ", i + 1, " is negative: ", values[i]));
  }
  if (std::all_of(values.begin(), values.end(), [](double weight) { return weight == 0.0; }))
    throw IoError(concat(file, ": all weights are zero"));
  points.weights.assign(values.begin(), values.end());
}

}  // namespace nw::io
