// The suites of `nw bench`, each a subcommand, and what they share.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "experiments/bench/ot_bench.hpp"

namespace nw::cli {

void add_ot_bench(CLI::App& bench, Context& context);
void add_batch_bench(CLI::App& bench, Context& context);

/// Whether and where POT is run beside nw.
void add_peer_options(CLI::App& command, bool& no_peer, experiments::BenchSetup& setup);

/// Whether POT can be run; warns when it cannot.
[[nodiscard]] bool peer_runs(const experiments::BenchSetup& setup);

}  // namespace nw::cli
