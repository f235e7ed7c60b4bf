// `nw distance X Y`: W1 or W2 between two data sets.
#pragma once

#include "cli/distance/arguments.hpp"

namespace nw::cli {

/// Returns an ExitCode.
[[nodiscard]] int run_one_pair(DistanceArguments& arguments);

}  // namespace nw::cli
