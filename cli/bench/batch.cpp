// `nw bench batch`: many small problems of transport.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/parallel.hpp"
#include "nw/report/text_table.hpp"

#include "cli/bench/suites.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "experiments/bench/batch_bench.hpp"
#include "experiments/bench/ot_suite.hpp"

namespace nw::cli {
namespace {

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

}  // namespace

void add_batch_bench(CLI::App& bench, Context& context) {
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
  add_peer_options(*command, arguments->no_peer, options.setup);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw bench batch                               10000 problems of 64 x 64 points, d = 8\n"
      "  nw bench batch --sizes 64,256,384 --problems 1000 --threads 1");
  command->callback([arguments, &context] {
    context.action = [arguments] { return run_batch_bench(*arguments); };
  });
}

}  // namespace nw::cli
