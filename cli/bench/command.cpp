// `nw bench`: our speed and memory beside those of a peer, measured in the same run.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"
#include "nw/report/text_table.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/join_team.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "experiments/bench/batch_bench.hpp"
#include "experiments/bench/growth.hpp"
#include "experiments/bench/ot_suite.hpp"

namespace nw::cli {

using experiments::BenchRow;
namespace {

struct OtBenchArguments {
  CommonOptions common;
  experiments::OtSuiteOptions options;
  std::string growth;  ///< page to write; empty: no growth table
  bool no_peer = false;
};

/// Says so when it does not.
bool peer_runs(const experiments::BenchSetup& setup) {
  const auto reason = why_no_peer(setup);
  if (reason) std::cerr << "nw: measuring without the peer: " << *reason << '\n';
  return !reason;
}

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

void add_ot(CLI::App& bench, Context& context) {
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
  command->add_flag("--no-peer", arguments->no_peer, "Measure nw alone");
  command
      ->add_option("--peer-limit", options.peer_limit,
                   "Largest n for POT, whose memory grows with n squared (10000: 4 GB)")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--python", options.setup.python, "The Python that has POT")
      ->type_name("PATH")
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

struct BatchArguments {
  CommonOptions common;
  experiments::BatchBenchOptions options;
  bool no_peer = false;
};

int run_batch_bench(const BatchArguments& arguments) {
  experiments::BatchBenchOptions options = arguments.options;
  options.seed = arguments.common.seed;
  options.setup.threads = resolve_threads(arguments.common.threads);
  options.setup.peer = !arguments.no_peer && peer_runs(options.setup);
  options.validate();
  require_writable(arguments.common.json);
  report::TextTable table = experiments::batch_table();
  Json result = start_result("bench", arguments.common);
  result["suite"] = "batch";
  result["threads"] = options.setup.threads;
  result["machine"] = experiments::processor_name();
  for (const std::size_t n : options.sizes) {
    const experiments::BatchRow row = measure_batch(options, n);
    add_row(table, row);
    result["rows"].push_back(to_json(row));
  }
  if (arguments.common.human_output()) {
    std::cout << table.text()
              << "\nratio of CPU seconds: emd2 in a loop, without its cost matrices, over nw with "
                 "distances; largest relative gap and difference\n";
  }
  write_result(arguments.common, result);
  return kDone;
}

void add_batch(CLI::App& bench, Context& context) {
  CLI::App* command =
      bench.add_subcommand("batch", "Many small problems: nw against emd2 in a loop");
  const auto arguments = std::make_shared<BatchArguments>();
  experiments::BatchBenchOptions& options = arguments->options;
  add_list(*command, "--sizes", options.sizes, "Points a side of each problem; default 64")
      ->type_name("N,...");
  command->add_option("--problems", options.problems, "Problems of each size")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--dim", options.dimension, "Dimension")
      ->type_name("D")
      ->capture_default_str();
  command->add_option("--p", options.p, "1 for W1, 2 for W2 squared")
      ->type_name("1|2")
      ->capture_default_str();
  command->add_flag("--no-peer", arguments->no_peer, "Measure nw alone");
  command->add_option("--python", options.setup.python, "The Python that has POT")
      ->type_name("PATH")
      ->capture_default_str();
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw bench batch                               10000 problems of 64 x 64 points, d = 8\n"
      "  nw bench batch --sizes 64,256,384 --problems 1000 --threads 1");
  command->callback([arguments, &context] {
    context.action = [arguments] { return run_batch_bench(*arguments); };
  });
}

/// The process that solves one problem for the benchmark; no part of the interface.
void add_ot_worker(CLI::App& bench, Context& context) {
  struct WorkerArguments {
    std::string folder;
    experiments::BenchSolve problem;
  };
  CLI::App* command = bench.add_subcommand("ot-worker")->group("");
  const auto arguments = std::make_shared<WorkerArguments>();
  command->add_option("folder", arguments->folder)->required();
  command->add_option("--p", arguments->problem.p);
  command->add_option("--repeat", arguments->problem.repeat);
  command->add_option("--threads", arguments->problem.threads);
  command->callback([arguments, &context] {
    context.action = [arguments] {
      std::cout << experiments::solve_for_bench(arguments->folder, arguments->problem) << '\n';
      return kDone;
    };
  });
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* bench = app.add_subcommand("bench", "Time nw against its peers on the same data");
  bench->require_subcommand(1);
  bench->footer("Examples:\n  nw bench ot --sizes 2000,5000,10000\n  nw bench batch");
  add_ot(*bench, context);
  add_batch(*bench, context);
  add_ot_worker(*bench, context);
}

}  // namespace nw::cli
