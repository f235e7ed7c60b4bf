#include "cli/two_inputs.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/load_weights.hpp"
#include "nw/io/squarable.hpp"
#include "nw/report/text_table.hpp"
#include "nw/table/split_choices.hpp"

#include "cli/option_names.hpp"
#include "cli/terminal.hpp"

namespace nw::cli {
namespace {

/// 80 MB a side, and several times that while columns are interpreted and encoded.
constexpr std::size_t kMostCells = 10'000'000;

}  // namespace

void add_input_arguments(CLI::App& command, InputArguments& inputs, Sides sides) {
  inputs.two = sides == Sides::two;
  command
      .add_option(
          "X", inputs.x,
          "Data: a table (CSV, Parquet, JSON, ...), NPY, NPZ, idx, images, or - for standard "
          "input; several separated by commas, or a pattern")
      ->required();
  command.add_option("Y", inputs.y, "Data with the same columns");
  command.add_option("--weights", inputs.weights, "Files with one weight per row")
      ->type_name(inputs.two ? "FILE_X FILE_Y" : "FILE_X [FILE_Y]")
      ->expected(inputs.two ? 2 : 1, 2);
  add_point_options(command, inputs.points);
  add_table_options(command, inputs.points);
  add_by_options(command, inputs.points);
}

void add_sampling(CLI::App& command, InputArguments& inputs) {
  inputs.may_sample = true;
  command
      .add_flag("--all-rows", inputs.all_rows,
                "Keep every row in memory (default: a sample of ten million cells a side)")
      ->group("Tables");
}

Inputs load_any_inputs(const InputArguments& arguments, const CommonOptions& common) {
  const bool by = arguments.points.table.by.given();
  PointOptions options = arguments.points;
  options.load.threads = common.threads;
  if (arguments.two && !by && arguments.y.empty()) {
    const auto choices = table::split_choices(arguments.x, options.load);
    require(false, "Y is missing: give a second file, or ", table::advice_on_splits(choices));
  }
  if (arguments.raw_units && !options.table.scale) {
    options.table.numbers_only = true;
    if (options.table.missing == table::Missing::keep)
      options.table.missing = table::Missing::error;
  }
  table::TableOptions table = table_options(options);
  if (table.numbers_only) table.scale = table::Scale::none;
  // A file of weights has a line for every row.
  if (arguments.may_sample && !arguments.all_rows && arguments.weights.empty()) {
    table.most_cells = kMostCells;
  }
  Inputs inputs = table::read_inputs({.x = arguments.x, .y = arguments.y, .team = arguments.team},
                                     options.load, table);
  const bool two = inputs.y.size() > 0;
  const std::size_t sets = two ? 2 : 1;
  require(arguments.weights.empty() || arguments.weights.size() == sets, "--weights needs ", sets,
          " file(s), one per data set, got ", arguments.weights.size());
  if (!arguments.weights.empty()) {
    io::load_weights(arguments.weights[0], common.threads, inputs.x);
    if (two) io::load_weights(arguments.weights[1], common.threads, inputs.y);
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

void print_description(const PointOptions& options, const CommonOptions& common,
                       const Inputs& inputs) {
  const table::Description& description = inputs.description;
  if (description.empty() || !common.human_output() || common.quiet) return;
  const std::size_t width = standard_output().line_width();
  std::cout << '\n';
  if (!description.y.empty()) {
    std::cout << wrapped(concat("X: ", description.x, ", ", description.rows_x,
                                " rows; Y: ", description.y, ", ", description.rows_y, " rows"),
                         width, 2)
              << '\n';
  }
  if (options.describe) {
    std::cout << full_text(description);
    return;
  }
  for (const std::string& line : summary_lines(description)) {
    std::cout << wrapped(with_option_names(line), width, 2) << '\n';
  }
}

void print_warning(const CommonOptions& common, const std::string& sentence) {
  if (common.human_output() && !common.quiet) std::cout << "warning: " << sentence << '\n';
}

void print_cost(const CommonOptions& common, double seconds) {
  if (!common.human_output() || common.quiet) return;
  std::cout << significant(seconds, 3) << " s, " << significant(peak_rss_mb(), 3) << " MB\n";
}

}  // namespace nw::cli
