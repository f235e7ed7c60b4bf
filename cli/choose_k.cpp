// `nw choose-k X [Y]`: the curve NW(k) and the number of modes k*.
#include "nw/app/compare/choose_k.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/stopwatch.hpp"
#include "nw/report/text_table.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure_options.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

namespace {

struct ChooseKArguments {
  CommonOptions common;
  InputArguments inputs;
  app::ModeCountOptions options;
  std::string report;
};

app::ModeCount solve(const ChooseKArguments& arguments, const Inputs& inputs) {
  const InterruptScope interrupt;
  Progress progress("choose-k", arguments.common.show_progress());
  return app::choose_k(inputs, arguments.options, observe(progress));
}

/// A bar whose length shows the value.
std::string bar(double value, double largest) {
  constexpr double kWidth = 30.0;
  const auto length =
      static_cast<std::size_t>(largest > 0.0 ? kWidth * value / largest + 0.5 : 0.0);
  return std::string(length, '#');
}

void print(const ChooseKArguments& arguments, const measure::ChooseKResult& result) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    std::cout << result.k << '\n';
    return;
  }
  std::cout << "k = " << result.k << ": " << result.reason << "\n\n";
  report::TextTable table({"k", "NW(k)", "noise floor", "drop", ""});
  const double largest = result.curve.empty() ? 0.0 : result.curve.front().nw;
  for (const auto& point : result.curve) {
    table.add({concat(point.k, point.k == result.k ? " *" : ""), significant(point.nw),
               significant(point.floor), significant(point.drop, 3), bar(point.nw, largest)});
  }
  std::cout << table.text();
}

int run_choose_k(ChooseKArguments& arguments) {
  app::ModeCountOptions& options = arguments.options;
  options.search.nw.threads = arguments.common.threads;
  options.seed = arguments.common.seed;
  options.figure = !arguments.report.empty();
  options.validate();
  require_writable(arguments.common.json);
  require_writable(arguments.report);
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  app::ModeCount found = solve(arguments, inputs);
  print(arguments, found.result);
  print_description(arguments.inputs, arguments.common, inputs);
  print_cost(arguments.common, found.result.seconds);
  found.record.peak_rss_mb = peak_rss_mb();
  write_result(arguments.common, found.record);
  write_page(arguments.report, found.record);
  return found.finished ? kDone : kNotConverged;
}

}  // namespace

void add_choose_k(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "choose-k", "Find the number of modes of one data set, or of two together");
  const auto arguments = std::make_shared<ChooseKArguments>();
  add_input_arguments(*command, arguments->inputs, Sides::one_or_two);
  add_sampling(*command, arguments->inputs);
  add_field_options(*command, arguments->options);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw choose-k data.csv\n"
      "  nw choose-k before.csv after.csv --max-k 12 --report page.html\n"
      "k is the smallest number of modes at which NW(k) has come down to what sampling noise "
      "alone\n"
      "would give, right after its last large drop (Theorem 1 of the paper).");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_choose_k(*arguments); }; });
}

}  // namespace nw::cli
