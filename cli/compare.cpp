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

#include "app/compare/all_rows.hpp"
#include "app/compare/comparison_record.hpp"
#include "app/compare/data_units.hpp"
#include "app/compare/known_classes.hpp"
#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/compare_scores.hpp"
#include "cli/dual.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/measure_options.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/text_table.hpp"
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
  std::vector<std::string> class_names;  ///< of X, where it is labelled
  ScoreArguments scores;                 ///< a model's outputs instead of data
  bool dual = false;                     ///< Algorithm 1 instead of the primal fit
  std::optional<std::int64_t> steps;     ///< of the training behind `dual`
};

std::string share(double value, const measure::Interval& interval) {
  const auto percent = [](double v) { return v < 1e-4 ? "0" : significant(100.0 * v, 3); };
  return concat(percent(value), " % [", percent(interval.low), ", ", percent(interval.high), "]");
}

std::string place(const std::vector<double>& centre) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(centre.size(), kShown); ++k) {
    text += (k == 0 ? "" : ", ") + significant(centre[k], 3);
  }
  return "(" + text + (centre.size() > kShown ? ", ..." : "") + ")";
}

void print(const CompareArguments& arguments, const measure::CompareResult& result,
           const std::vector<std::string>& labels) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    std::cout << to_string(result.verdict) << '\n';
    return;
  }
  std::cout << to_string(result.verdict) << ": " << result.sentence << '\n';
  if (result.components.empty()) return;
  std::cout << "\n  W   = " << significant(result.wasserstein) << "  (by chance "
            << significant(result.wasserstein_null)
            << "), p_same = " << significant(result.p_same, 2) << '\n'
            << "  W_N = " << significant(result.normalized_wasserstein) << "  (noise floor "
            << significant(result.floor) << ") with k = " << result.k
            << ", p_components = " << significant(result.p_components, 2) << "\n\n";
  TextTable table({"component at", "share of X", "share of Y", "shift", "p", "status"});
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const auto& component = result.components[j];
    table.add({labels.empty() ? place(component.centre) : labels[j],
               share(component.mass_x, component.mass_x_interval),
               share(component.mass_y, component.mass_y_interval),
               significant(component.shift_size, 2), significant(component.p, 2),
               to_string(component.status)});
  }
  std::cout << table.text();
  for (std::size_t c = 0; c < result.classes.size(); ++c) {
    const auto& known = result.classes[c];
    std::cout << "  class " << arguments.class_names[c] << ": "
              << significant(100.0 * known.share_x, 3) << " % of X, "
              << share(known.share_y, known.share_y_interval) << " of Y\n";
  }
  for (const std::string& note : result.notes) std::cout << "- " << note << '\n';
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
                                              ? component_labels(inputs, result.components)
                                              : arguments.class_names;
  to_data_units(inputs, result.components);
  print(arguments, result, labels);
  print_description(arguments.inputs, arguments.common, inputs);
  print_cost(arguments.common, result.seconds);
  record::RunRecord record = make_record(arguments, inputs, result, labels);
  const bool keep_figure = !arguments.report.empty() || !arguments.common.json.empty();
  if (keep_figure && !result.interrupted) {
    record.figure = make_figure(weighted(inputs.x), weighted(inputs.y), axis_names(inputs),
                                result.fit, arguments.common.threads);
  }
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  if (!arguments.rows.empty()) write_text(arguments.rows, app::row_table(result, labels));
  return code;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("compare", "What changed between two data sets: the mix or the members");
  const auto arguments = std::make_shared<CompareArguments>();
  add_input_arguments(*command, arguments->inputs, Sides::two);
  add_sampling(*command, arguments->inputs);
  command->get_option("X")->required(false);  // --scores-x takes its place
  command->add_option("--k", arguments->k, "Number of components, or auto to choose it")
      ->type_name("N|auto")
      ->capture_default_str();
  auto& options = arguments->options;
  command->add_option("--max-k", options.max_k, "auto: largest k tried")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--resamplings", options.resamplings, "Behind every p-value and interval")
      ->type_name("N")
      ->capture_default_str();
  const auto level = [&](const char* name, double& value, const char* help) {
    command->add_option(name, value, help)->type_name("X")->capture_default_str();
  };
  level("--alpha", options.alpha, "Level of p_same");
  level("--alpha-components", options.alpha_components, "Level of p_components");
  level("--confidence", options.confidence, "Coverage of the intervals");
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
          "Write for every row tested its member, how much it looks like Y, and its weight in "
          "the evidence, as CSV")
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
