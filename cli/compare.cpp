// `nw compare X Y`: what changed, the mix or the members?
#include "nw/app/compare/compare.hpp"

#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"

#include "app/compare/comparison_record.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/compare_scores.hpp"
#include "cli/dual.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/measure_options.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/text_table.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {
namespace {

struct CompareArguments {
  CommonOptions common;
  InputArguments inputs;
  app::ComparisonOptions options;
  std::string k = "auto";
  std::string report;                 ///< page to write; empty: none
  std::string rows;                   ///< table of rows to write; empty: none
  ScoreArguments scores;              ///< a model's outputs instead of data
  bool dual = false;                  ///< Algorithm 1 instead of the primal fit
  std::optional<std::int64_t> steps;  ///< of the training behind `dual`
};

std::string share(double value, const Interval& interval) {
  return concat(percent(value), " [", percent(interval.low), ", ", percent(interval.high), "]");
}

std::string place(const std::vector<double>& centre) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(centre.size(), kShown); ++k) {
    text += (k == 0 ? "" : ", ") + significant(centre[k], 3);
  }
  return "(" + text + (centre.size() > kShown ? ", ..." : "") + ")";
}

void print(const CommonOptions& common, const app::Comparison& comparison) {
  if (!common.human_output()) return;
  const measure::CompareResult& result = comparison.result;
  if (common.quiet) {
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
  const auto& names = comparison.component_names;
  TextTable table({"component at", "share of X", "share of Y", "shift", "p", "status"});
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const auto& component = result.components[j];
    table.add({names.empty() ? place(component.centre) : names[j],
               share(component.mass_x, component.mass_x_interval),
               share(component.mass_y, component.mass_y_interval),
               significant(component.shift_size, 2), significant(component.p, 2),
               to_string(component.status)});
  }
  std::cout << table.text();
  for (std::size_t c = 0; c < result.classes.size(); ++c) {
    const auto& known = result.classes[c];
    std::cout << "  class " << comparison.class_names[c] << ": "
              << significant(100.0 * known.share_x, 3) << " % of X, "
              << share(known.share_y, known.share_y_interval) << " of Y\n";
  }
  for (const std::string& note : result.notes) std::cout << "- " << note << '\n';
}

int run_dual_instead(const CompareArguments& arguments) {
  const std::size_t k = arguments.options.test.components;
  require(k > 0, "--dual needs --k N");
  return run_dual({.common = arguments.common,
                   .inputs = arguments.inputs,
                   .command = "compare",
                   .k = static_cast<std::int64_t>(k),
                   .steps = arguments.steps,
                   .report = arguments.report});
}

int run_scores_instead(const CompareArguments& arguments) {
  require(arguments.inputs.x.empty(), "give X and Y, or --scores-x and --scores-y, not both");
  const measure::CompareOptions& options = arguments.options.test;
  return run_compare_scores(arguments.scores, arguments.common, arguments.inputs.points,
                            {.resamplings = options.resamplings,
                             .confidence = options.confidence,
                             .alpha = options.alpha_components});
}

int run_compare(CompareArguments& arguments) {
  if (arguments.scores.given()) return run_scores_instead(arguments);
  require(!arguments.inputs.x.empty(), "X is missing: give two files, or one and --by COLUMN");
  require(arguments.scores.corrected.empty(), "--corrected belongs to --scores-x and --scores-y");
  const CommonOptions& common = arguments.common;
  app::ComparisonOptions& options = arguments.options;
  options.test.components = parse_components(arguments.k);
  if (arguments.dual) return run_dual_instead(arguments);
  require(!arguments.steps, "--steps belongs to --dual");
  Team* const team = join_team();
  options.seed = common.seed;
  options.test.nw.threads = common.threads;
  options.test.nw.team = team;
  options.figure = leads(team) && (!arguments.report.empty() || !common.json.empty());
  options.validate();
  if (leads(team)) {
    require_writable(common.json);
    require_writable(arguments.report);
    require_writable(arguments.rows);
  }
  const Inputs inputs = load_inputs(arguments.inputs, common);
  const InterruptScope interrupt;
  app::Comparison comparison;
  {
    Progress progress("compare", common.show_progress() && leads(team));
    comparison = app::compare(inputs, options, observe(progress));
  }
  const int code = comparison.finished ? kDone : kNotConverged;
  if (!leads(team)) return code;
  print(common, comparison);
  print_description(arguments.inputs, common, inputs);
  print_cost(common, comparison.result.seconds);
  comparison.record.peak_rss_mb = peak_rss_mb();
  write_result(common, comparison.record);
  write_page(arguments.report, comparison.record);
  if (!arguments.rows.empty()) {
    write_text(arguments.rows, app::row_table(comparison.result, comparison.component_names));
  }
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
  add_field_options(*command, arguments->options);
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
