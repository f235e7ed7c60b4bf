// `nw bench ot`: exact transport, one problem at a time.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"
#include "nw/report/text_table.hpp"

#include "cli/bench/suites.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/join_team.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "experiments/bench/growth.hpp"
#include "experiments/bench/ot_suite.hpp"

namespace nw::cli {
namespace {

using experiments::BenchRow;

struct OtBenchArguments {
  CommonOptions common;
  experiments::OtSuiteOptions options;
  std::string growth;  ///< page to write; empty: no growth table
  bool no_peer = false;
};

int run_ot_bench(const OtBenchArguments& arguments) {
  experiments::OtSuiteOptions options = arguments.options;
  options.seed = arguments.common.seed;
  options.growth = !arguments.growth.empty();
  options.setup.threads = resolve_threads(arguments.common.threads);
  options.setup.peer = !arguments.no_peer;
  options.validate();
  Team* const team = join_team();
  if (leads(team)) {
    require_writable(arguments.common.json);
    require_writable(arguments.growth);
  }
  options.setup.peer = options.setup.peer && peer_runs(options.setup);
  report::TextTable table = experiments::ot_table();
  std::size_t shown = 0;
  const bool show = arguments.common.human_output() && leads(team);
  // Rows that appear one by one are progress enough.
  Progress progress("bench", arguments.common.show_progress() && leads(team) && !show);
  if (show) std::cout << table.heading_line() << std::flush;
  const auto rows = run_ot_suite(
      options, team,
      {.progress = [&](double done, const std::string& what) { progress.update(done, what); },
       .row =
           [&](const BenchRow& row) {
             add_row(table, row);
             if (show) std::cout << table.row_line(shown++) << std::flush;
           }});
  if (show) {
    std::cout << "\nseconds of the solve alone, best of " << options.setup.repeat
              << "; POT's cost matrix is timed apart (cost s); MB above the points;\n"
              << "gap relative to the value; difference between our value and POT's, relative; "
              << options.setup.threads << " threads\n";
  }
  const bool converged =
      std::ranges::all_of(rows, [](const BenchRow& row) { return row.converged; });
  const int code = converged ? kDone : kNotConverged;
  if (!leads(team)) return code;
  const std::string machine = experiments::processor_name();
  if (options.growth) {
    write_growth(arguments.growth, rows, concat(options.setup.threads, " threads of ", machine));
  }
  Json result = start_result("bench", arguments.common);
  result["suite"] = "ot";
  result["threads"] = options.setup.threads;
  result["machine"] = machine;
  for (const BenchRow& row : rows) result["rows"].push_back(to_json(row));
  write_result(arguments.common, result);
  return code;
}

}  // namespace

void add_ot_bench(CLI::App& bench, Context& context) {
  CLI::App* command = bench.add_subcommand("ot", "Exact transport: nw against POT's emd2");
  const auto arguments = std::make_shared<OtBenchArguments>();
  experiments::OtSuiteOptions& options = arguments->options;
  add_list(*command, "--sizes", options.sizes, "Points in each cloud; default 2000,5000")
      ->type_name("N,...");
  add_list(*command, "--dims", options.dimensions, "Dimensions")->type_name("D,...");
  add_list(*command, "--p", options.powers, "1 for W1, 2 for W2 squared")->type_name("1|2,...");
  command->add_flag("--weighted", options.weighted, "Random weights instead of equal ones");
  auto* degenerate = command->add_flag("--degenerate", options.degenerate,
                                       "Clouds with ties, duplicates, extreme scales and shapes");
  command
      ->add_option("--growth", arguments->growth,
                   "CPU time against n in the plane; writes table and plot into this Markdown page")
      ->type_name("FILE.md")
      ->excludes(degenerate);
  command
      ->add_option("--repeat", options.setup.repeat, "Solves of each problem; the best one counts")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""))
      ->capture_default_str();
  add_peer_options(*command, arguments->no_peer, options.setup);
  command
      ->add_option("--peer-limit", options.peer_limit,
                   "Largest n for POT, whose memory grows with n squared (10000: 4 GB)")
      ->type_name("N")
      ->capture_default_str();
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw bench ot                                  d = 2, 10, 64 and both p at 2k and 5k\n"
      "  nw bench ot --sizes 10000 --dims 2 --repeat 3\n"
      "  nw bench ot --degenerate --json rows.json\n"
      "  nw bench ot --growth docs/transport.md --threads 1 --peer-limit 5000");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_ot_bench(*arguments); }; });
}

}  // namespace nw::cli
