// `nw distance --cost`: transport under other distances than the Euclidean one.
#pragma once

#include "cli/distance/arguments.hpp"

namespace nw::cli {

void add_cost_options(CLI::App& command, DistanceArguments& arguments);

/// Returns an ExitCode.
[[nodiscard]] int run_cost(DistanceArguments& arguments);

}  // namespace nw::cli
