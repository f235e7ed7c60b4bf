#include "cli/torch/adapt_inputs.hpp"

#include "nw/io/squarable.hpp"

namespace nw::cli {

io::PointSet load_labelled(const LabelledInput& input, const PointOptions& options,
                           const CommonOptions& common) {
  io::LoadOptions load = options.load;
  load.threads = common.threads;
  load.label_column = input.label_column;
  load.labels_file = input.labels;
  io::PointSet points = io::load_points(input.points, load);
  io::require_squarable(points);
  return points;
}

}  // namespace nw::cli
