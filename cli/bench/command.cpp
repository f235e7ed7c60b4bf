// `nw bench`: our speed and memory beside those of a peer, measured in the same run.
#include <iostream>
#include <memory>

#include "cli/bench/suites.hpp"
#include "cli/exit_code.hpp"

namespace nw::cli {
namespace {

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

void add_peer_options(CLI::App& command, bool& no_peer, experiments::BenchSetup& setup) {
  command.add_flag("--no-peer", no_peer, "Measure nw alone");
  command.add_option("--python", setup.python, "The Python that has POT")
      ->type_name("PATH")
      ->capture_default_str();
}

bool peer_runs(const experiments::BenchSetup& setup) {
  const auto reason = why_no_peer(setup);
  if (reason) std::cerr << "nw: measuring without the peer: " << *reason << '\n';
  return !reason;
}

void add_bench(CLI::App& app, Context& context) {
  CLI::App* bench = app.add_subcommand("bench", "Time nw against its peers on the same data");
  bench->require_subcommand(1);
  bench->footer("Examples:\n  nw bench ot --sizes 2000,5000,10000\n  nw bench batch");
  add_ot_bench(*bench, context);
  add_batch_bench(*bench, context);
  add_ot_worker(*bench, context);
}

}  // namespace nw::cli
