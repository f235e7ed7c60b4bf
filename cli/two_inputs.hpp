// Reading the one or two data sets of a command.
#pragma once

#include <string>
#include <vector>

#include "nw/app/compare/weighted.hpp"
#include "nw/table/read_inputs.hpp"

#include "cli/common_options.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {

/// What the command line says about the inputs.
struct InputArguments {
  std::string x, y;                  ///< y is empty for a command on one data set
  std::vector<std::string> weights;  ///< none, or one file per data set
  PointOptions points;
  bool two = false;  ///< the command needs two data sets
  /// Numbers in the units of the data: no scale, no categories and no missing values unless a user
  /// asks for them.
  bool raw_units = false;
  /// The command can do with a sample of the rows of large tables.
  bool may_sample = false;
  bool all_rows = false;  ///< a user wants none
  Team* team = nullptr;   ///< processes that share the reading of several files
};

/// The data sets as points, with the way back to the units of their columns; `y` has no rows when
/// none was given.
using Inputs = table::Inputs;

using app::weighted;

/// Whether a command needs two data sets.
enum class Sides { one_or_two, two };

/// Adds X, Y, --weights, --by and the options of reading. A command on two data sets takes them as
/// X and Y or from one table with --by.
void add_input_arguments(CLI::App& command, InputArguments& inputs, Sides sides);
/// Lets the command work on a sample of the rows of tables that are larger than memory.
void add_sampling(CLI::App& command, InputArguments& inputs);

/// Prints which rows and columns were used: three lines, or all with --describe.
void print_description(const PointOptions& options, const CommonOptions& common,
                       const Inputs& inputs);
inline void print_description(const InputArguments& arguments, const CommonOptions& common,
                              const Inputs& inputs) {
  print_description(arguments.points, common, inputs);
}

/// Prints what a reader must know before trusting the result.
void print_warning(const CommonOptions& common, const std::string& sentence);

/// Prints what a run took, unless it is to be quiet.
void print_cost(const CommonOptions& common, double seconds);

/// Reads everything; throws IoError, also when the two have different dimensions, and
/// InvalidArgument when `sides` asks for two and there is one.
[[nodiscard]] Inputs load_any_inputs(const InputArguments& arguments, const CommonOptions& common);
/// The same for all who square what they read; throws IoError where that cannot be done.
[[nodiscard]] Inputs load_inputs(const InputArguments& arguments, const CommonOptions& common);

}  // namespace nw::cli
