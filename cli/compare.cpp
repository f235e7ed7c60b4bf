// `nw compare X Y`: what changed, the mix or the members?
#include "nw/measure/compare.hpp"

#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/comparison_story.hpp"
#include "nw/report/picture.hpp"

#include "app/compare/all_rows.hpp"
#include "app/compare/comparison_record.hpp"
#include "app/compare/component_names.hpp"
#include "app/compare/data_units.hpp"
#include "app/compare/figure_columns.hpp"
#include "app/compare/known_classes.hpp"
#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/compare_scores.hpp"
#include "cli/comparison_text.hpp"
#include "cli/dual.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/measure_options.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/terminal.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

using namespace app;
namespace {

struct CompareArguments {
  CommonOptions common;
  InputArguments inputs;
  measure::CompareOptions options;
  std::string k = "auto";
  std::string report;                    ///< page to write; empty: none
  std::string rows;                      ///< table of rows to write; empty: none
  std::string markdown;                  ///< where the story goes as Markdown; empty: nowhere
  std::string picture;                   ///< where the picture goes as SVG; empty: nowhere
  std::vector<std::string> class_names;  ///< of X, where it is labelled
  ScoreArguments scores;                 ///< a model's outputs instead of data
  bool dual = false;                     ///< Algorithm 1 instead of the primal fit
  std::optional<std::int64_t> steps;     ///< of the training behind `dual`
};

void print(const CompareArguments& arguments, const record::RunRecord& record) {
  if (!arguments.common.human_output() || arguments.markdown == "-") return;
  if (arguments.common.quiet) {
    std::cout << to_string(record.compare->verdict) << '\n';
    return;
  }
  const Terminal terminal = standard_output();
  const report::ComparisonStory story = report::tell_comparison(record);
  std::cout << comparison_text(story, terminal);
  for (const std::string& note : record.details) {
    std::cout << wrapped("- " + note, terminal.width, 2) << '\n';
  }
}

record::RunRecord make_record(const CompareArguments& arguments, const Inputs& inputs,
                              const measure::CompareResult& result,
                              const std::vector<std::string>& labels) {
  auto record = record::start_record(record::RunKind::compare, "compare", arguments.common.seed);
  record.data = {record::describe(inputs.x, arguments.inputs.x),
                 record::describe(inputs.y, arguments.inputs.y)};
  add_columns(inputs, record);
  app::add_comparison(result, arguments.options, labels, record);
  name_columns(inputs, result, record);
  record.peak_rss_mb = peak_rss_mb();
  return record;
}

int run_compare(CompareArguments& arguments) {
  auto& options = arguments.options;
  if (arguments.scores.given()) {
    require(arguments.inputs.x.empty(), "give X and Y, or --scores-x and --scores-y, not both");
    return run_compare_scores(arguments.scores, arguments.common, arguments.inputs.points,
                              {.resamplings = options.resamplings,
                               .confidence = options.confidence,
                               .alpha = options.alpha_components});
  }
  require(!arguments.inputs.x.empty(), "X is missing: give two files, or one and --by COLUMN");
  require(arguments.scores.corrected.empty(), "--corrected belongs to --scores-x and --scores-y");
  options.components = parse_components(arguments.k);
  if (arguments.dual) {
    require(options.components > 0, "--dual needs --k N");
    return run_dual({.common = arguments.common,
                     .inputs = arguments.inputs,
                     .command = "compare",
                     .k = static_cast<std::int64_t>(options.components),
                     .steps = arguments.steps,
                     .report = arguments.report});
  }
  require(!arguments.steps, "--steps belongs to --dual");
  options.nw.threads = arguments.common.threads;
  options.validate();
  Team* const team = join_team();
  options.nw.team = team;
  if (leads(team)) {
    require_writable(arguments.common.json);
    require_writable(arguments.report);
    require_writable(arguments.rows);
    require_writable(arguments.markdown);
    require_writable(arguments.picture);
  }
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  options.column_of = column_of_coordinates(inputs);
  if (inputs.x.labels) {
    const app::KnownClasses known = app::known_classes(*inputs.x.labels);
    options.class_of_x = known.class_of;
    arguments.class_names = known.names;
  }

  const InterruptScope interrupt;
  measure::CompareResult result;
  {
    Progress progress("compare", arguments.common.show_progress() && leads(team));
    options.observer = observe(progress);
    Rng rng(arguments.common.seed);
    result = measure::compare(weighted(inputs.x), weighted(inputs.y), options, rng);
  }
  const int code = result.interrupted ? kNotConverged : kDone;
  if (!leads(team)) return code;
  io::LoadOptions load = arguments.inputs.points.load;
  load.threads = arguments.common.threads;
  app::count_all_rows({arguments.inputs.x, arguments.inputs.y}, load, inputs, result);
  const std::vector<std::string> labels = arguments.class_names.empty()
                                              ? component_names(inputs, result.components)
                                              : arguments.class_names;
  to_data_units(inputs, result.components);
  record::RunRecord record = make_record(arguments, inputs, result, labels);
  print(arguments, record);
  if (arguments.markdown != "-") {
    print_description(arguments.inputs, arguments.common, inputs);
    print_cost(arguments.common, result.seconds);
  }
  const bool keep_figure =
      !arguments.report.empty() || !arguments.common.json.empty() || !arguments.picture.empty();
  if (keep_figure && !result.interrupted) {
    record.figure = make_figure(weighted(inputs.x), weighted(inputs.y), axis_names(inputs),
                                result.fit, arguments.common.threads);
    add_row_columns(inputs, *record.figure);
  }
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  if (!arguments.rows.empty()) write_text(arguments.rows, app::row_table(result, labels));
  if (!arguments.markdown.empty()) write_text(arguments.markdown, report::render_markdown(record));
  if (!arguments.picture.empty()) write_text(arguments.picture, report::render_picture(record));
  return code;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "compare", "Tell what changed between two data sets: the mix or the members");
  const auto arguments = std::make_shared<CompareArguments>();
  add_input_arguments(*command, arguments->inputs, Sides::two);
  add_sampling(*command, arguments->inputs);
  command->get_option("X")->required(false);  // --scores-x takes its place
  command->add_option("--k", arguments->k, "Number of components, or auto to choose it")
      ->type_name("N|auto")
      ->capture_default_str();
  auto& options = arguments->options;
  command->add_option("--max-k", options.max_k, "With --k auto: the largest k to try")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--resamplings", options.resamplings,
                   "Resamplings behind every p-value and interval")
      ->type_name("N")
      ->capture_default_str();
  const auto level = [&](const char* name, double& value, const char* help) {
    command->add_option(name, value, help)->type_name("X")->capture_default_str();
  };
  level("--alpha", options.alpha, "Significance level of the test for any difference");
  level("--alpha-components", options.alpha_components,
        "Significance level of the test for a change of members");
  level("--confidence", options.confidence, "Coverage of the confidence intervals");
  level("--min-effect", options.min_effect.share,
        "Change of the mix that counts, as a share: 0.03 is three points");
  level("--min-move", options.min_effect.deviations,
        "Move of a member that counts, in its deviations");
  add_fit_options(*command, options.nw);
  command->add_flag("--dual", arguments->dual,
                    "Train critics and shared components (Algorithm 1) instead; needs --k");
  command->add_option("--steps", arguments->steps, "dual: generator steps")->type_name("N");
  command
      ->add_option(
          "--rows", arguments->rows,
          "Write a CSV of the tested rows: component, how much each looks like Y, its weight in "
          "the evidence")
      ->type_name("FILE.csv");
  auto& scores = arguments->scores;
  command
      ->add_option("--scores-x", scores.x,
                   "Class probabilities that a model gives rows of X, with their true class in "
                   "--label-column")
      ->type_name("FILE");
  command->add_option("--scores-y", scores.y, "Class probabilities of rows of Y")
      ->type_name("FILE");
  command
      ->add_option("--corrected", scores.corrected,
                   "scores: write Y's probabilities for the mix that was found, as CSV")
      ->type_name("FILE.csv");
  add_report_option(*command, arguments->report);
  command
      ->add_option("--markdown", arguments->markdown,
                   "Write the answer as Markdown, for a pull request or a chat; - is stdout")
      ->type_name("FILE|-");
  command->add_option("--svg", arguments->picture, "Write the main picture")->type_name("FILE.svg");
  add_common_options(*command, arguments->common);
  command->footer(
      "With --label-column, the members are the classes of X; Y needs no such column.\n"
      "Examples:\n"
      "  nw compare before.csv after.csv --report page.html\n"
      "  nw compare penguins.csv --by island --from Biscoe --to Dream\n"
      "  nw compare sales.parquet --by date --from 2023 --to 2024\n"
      "  nw compare before.csv after.csv --columns age,income --k 4 --json -\n"
      "  nw compare x.npy y.npy --shape diagonal --resamplings 1000\n"
      "  nw compare --scores-x valid.csv --scores-y target.csv --label-column class --corrected "
      "p.csv\n"
      "Verdicts: same; proportions (same members, another mix); components (a member changed, "
      "came\n"
      "or went); undecided (too few rows, or stopped).");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace nw::cli
