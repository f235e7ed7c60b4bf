// `nw compare X Y`: what changed, the mix or the members?
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/app/compare/row_table.hpp"
#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/report/comparison_in_words.hpp"
#include "nw/report/picture.hpp"
#include "nw/report/png.hpp"

#include "cli/commands.hpp"
#include "cli/compare/arguments.hpp"
#include "cli/dual.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/measure_options.hpp"
#include "cli/option_names.hpp"
#include "cli/output_file.hpp"
#include "cli/print_record.hpp"
#include "cli/report_option.hpp"

namespace nw::cli {
namespace {

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
  require(arguments.report.empty() && arguments.rows.empty() && !arguments.dual &&
              arguments.markdown.empty() && arguments.svg.empty() && arguments.png.empty(),
          "--report, --rows, --markdown, --svg, --png and --dual need data, not scores");
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
  options.figure = leads(team) && (!arguments.report.empty() || !common.json.empty() ||
                                   !arguments.svg.empty() || !arguments.png.empty());
  options.validate();
  if (leads(team)) {
    require_writable(common.json);
    require_writable(arguments.report);
    require_writable(arguments.rows);
    require_writable(arguments.markdown);
    require_writable(arguments.svg);
    require_writable(arguments.png);
    if (!arguments.png.empty()) report::require_png();
  }
  arguments.inputs.team = team;
  const Inputs inputs = load_inputs(arguments.inputs, common);
  const InterruptScope interrupt;
  app::Comparison comparison;
  {
    Progress progress("compare", common.show_progress() && leads(team));
    comparison = app::compare(inputs, options, observe(progress));
  }
  const int code = comparison.finished ? kDone : kNotConverged;
  if (!leads(team)) return code;
  name_options(comparison.record);
  if (arguments.markdown != "-") {
    print_record(common, comparison.record);
    print_description(arguments.inputs, common, inputs);
    print_cost(common, comparison.result.seconds);
  }
  record::RunRecord& record = comparison.record;
  record.peak_rss_mb = peak_rss_mb();
  write_result(common, record);
  write_page(arguments.report, record);
  if (!arguments.rows.empty()) {
    write_text(arguments.rows, app::row_table(comparison.result, record.compare->components));
  }
  if (!arguments.markdown.empty()) write_text(arguments.markdown, report::render_markdown(record));
  if (!arguments.svg.empty()) write_text(arguments.svg, report::render_picture(record));
  if (!arguments.png.empty())
    write_text(arguments.png, report::png_of(report::render_picture(record)));
  return code;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "compare", "Tell what changed between two data sets: the mix or the members");
  const auto arguments = std::make_shared<CompareArguments>();
  add_compare_options(*command, *arguments);
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
