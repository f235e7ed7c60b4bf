#include <CLI/CLI.hpp>

#include "cli/compare/arguments.hpp"
#include "cli/field_options.hpp"
#include "cli/report_option.hpp"

namespace nw::cli {

void add_compare_options(CLI::App& command, CompareArguments& arguments) {
  add_input_arguments(command, arguments.inputs, Sides::two);
  add_sampling(command, arguments.inputs);
  command.get_option("X")->required(false);  // --scores-x takes its place
  command.add_option("--k", arguments.k, "Number of components, or auto to choose it")
      ->type_name("N|auto")
      ->capture_default_str();
  add_field_options(command, arguments.options);
  command.add_flag("--dual", arguments.dual,
                   "Train critics and shared components (Algorithm 1) instead; needs --k");
  command.add_option("--steps", arguments.steps, "dual: generator steps")->type_name("N");
  command
      .add_option(
          "--rows", arguments.rows,
          "Write a CSV of the tested rows: component, how much each looks like Y, its weight in "
          "the evidence")
      ->type_name("FILE.csv");
  auto& scores = arguments.scores;
  command
      .add_option("--scores-x", scores.x,
                  "Class probabilities that a model gives rows of X, with their true class in "
                  "--label-column")
      ->type_name("FILE");
  command.add_option("--scores-y", scores.y, "Class probabilities of rows of Y")->type_name("FILE");
  command
      .add_option("--corrected", scores.corrected,
                  "scores: write Y's probabilities for the mix that was found, as CSV")
      ->type_name("FILE.csv");
  add_report_option(command, arguments.report);
  command
      .add_option("--markdown", arguments.markdown,
                  "Write the answer as Markdown, for a pull request or a chat; - is stdout")
      ->type_name("FILE|-");
  command.add_option("--svg", arguments.svg, "Write the main picture")->type_name("FILE.svg");
  command.add_option("--png", arguments.png, "The same picture as PNG; needs rsvg-convert")
      ->type_name("FILE.png");
  add_common_options(command, arguments.common);
}

}  // namespace nw::cli
