// `nw report RUN…`: runs as one self-contained HTML page.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/app/report/write_report.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/output_file.hpp"

namespace nw::cli {
namespace {

struct ReportCommand {
  std::vector<std::string> runs;
  std::string output = "report.html";
  report::HtmlOptions html;
  bool fixed = false;
  CommonOptions common;
};

int write_report(ReportCommand& command) {
  require_writable(command.output);
  require_writable(command.common.json);
  command.html.interactive = !command.fixed;
  app::write_report(command.output, command.runs, command.html);
  Json result = start_result("report", command.common);
  result["page"] = command.output;
  result["runs"] = command.runs;
  result["interactive"] = command.html.interactive && report::has_interactive_charts();
  write_result(command.common, result);
  if (command.common.human_output()) std::cout << command.output << '\n';
  return kDone;
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  auto* sub = app.add_subcommand("report", "Write one or more runs as a self-contained HTML page");
  auto command = std::make_shared<ReportCommand>();
  sub->add_option("runs", command->runs, "Results that --json wrote, or run directories")
      ->type_name("RUN")
      ->required();
  sub->add_option("-o,--output", command->output, "The page")
      ->type_name("FILE")
      ->capture_default_str();
  sub->add_option("--title", command->html.title, "Heading of a page with several runs")
      ->type_name("TEXT");
  sub->add_flag("--fixed", command->fixed, "Draw fixed charts: a smaller page without scripts");
  add_common_options(*sub, command->common);
  sub->footer(
      "Examples:\n"
      "  nw compare before.csv after.csv --json run.json && nw report run.json -o page.html\n"
      "  nw report runs/january runs/february --title \"Winter\" -o winter.html");
  sub->callback(
      [&context, command] { context.action = [command] { return write_report(*command); }; });
}

}  // namespace nw::cli
