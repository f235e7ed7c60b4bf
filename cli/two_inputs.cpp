#include "cli/two_inputs.hpp"

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/io/squarable.hpp"

namespace nw::cli {

ot::WeightedPoints weighted(const io::PointSet& points) {
  return {.points = points.values, .weights = points.weights};
}

void add_input_arguments(CLI::App& command, InputArguments& inputs, bool y_required) {
  command.add_option("X", inputs.x, "Points: CSV, TSV, NPY, NPZ, idx, images")->required();
  CLI::Option* y = command.add_option("Y", inputs.y, "Points of the same dimension");
  if (y_required) y->required();
  command.add_option("--weights", inputs.weights, "Files with one weight per point")
      ->type_name(y_required ? "FILE_X FILE_Y" : "FILE_X [FILE_Y]")
      ->expected(y_required ? 2 : 1, 2);
  add_point_options(command, inputs.points);
}

namespace {

io::PointSet load_second(const InputArguments& arguments, const PointOptions& options) {
  if (arguments.label_optional_in_y && !options.load.label_column.empty()) {
    io::LoadOptions without = options.load;
    without.label_column.clear();
    try {
      return io::load_points(arguments.y, options.load);
    } catch (const IoError&) {
      return io::load_points(arguments.y, without);
    }
  }
  return io::load_points(arguments.y, options.load);
}

}  // namespace

Inputs load_any_inputs(const InputArguments& arguments, const CommonOptions& common) {
  require(arguments.x != "-" || arguments.y != "-", "X and Y cannot both be standard input");
  const bool two = !arguments.y.empty();
  const std::size_t sets = two ? 2 : 1;
  require(arguments.weights.empty() || arguments.weights.size() == sets, "--weights needs ", sets,
          " file(s), one per data set, got ", arguments.weights.size());
  PointOptions options = arguments.points;
  options.load.threads = common.threads;
  Inputs inputs;
  inputs.x = io::load_points(arguments.x, options.load);
  if (two) inputs.y = load_second(arguments, options);
  if (!arguments.weights.empty()) {
    load_weights(arguments.weights[0], options, inputs.x);
    if (two) load_weights(arguments.weights[1], options, inputs.y);
  }
  if (two) io::require_same_dimension(inputs.x, inputs.y);
  return inputs;
}

Inputs load_inputs(const InputArguments& arguments, const CommonOptions& common) {
  Inputs inputs = load_any_inputs(arguments, common);
  io::require_squarable(inputs.x);
  io::require_squarable(inputs.y);
  return inputs;
}

}  // namespace nw::cli
