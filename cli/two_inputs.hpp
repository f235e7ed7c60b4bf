// Reading the one or two data sets of a command.
#pragma once

#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/ot/problem.hpp"

#include "cli/common_options.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {

/// What the command line says about the inputs.
struct InputArguments {
  std::string x, y;                  ///< y is empty for a command on one data set
  std::vector<std::string> weights;  ///< none, or one file per data set
  PointOptions points;
  /// The label column belongs to X; Y may lack it.
  bool label_optional_in_y = false;
};

/// The data sets as read; `y` has no rows when none was given.
struct Inputs {
  io::PointSet x, y;
};

/// A data set as the library takes it; the set must outlive the view.
[[nodiscard]] ot::WeightedPoints weighted(const io::PointSet& points);

/// Adds X, Y, --weights and the options of reading. `y_required` false makes Y optional.
void add_input_arguments(CLI::App& command, InputArguments& inputs, bool y_required);

/// Reads everything; throws IoError, also when the two have different dimensions.
[[nodiscard]] Inputs load_any_inputs(const InputArguments& arguments, const CommonOptions& common);
/// The same for all who square what they read; throws IoError where that cannot be done.
[[nodiscard]] Inputs load_inputs(const InputArguments& arguments, const CommonOptions& common);

}  // namespace nw::cli
