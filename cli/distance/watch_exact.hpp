// Progress, time limit and Ctrl-C of the exact solver.
#pragma once

#include <functional>

#include "nw/ot/exact.hpp"

#include "cli/progress.hpp"

namespace nw::cli {

/// Shows how far the solver is, and stops it after `seconds` (0: never) or at Ctrl-C. `progress`
/// must outlive what is returned.
[[nodiscard]] std::function<bool(const ot::ExactProgress&)> watch_exact(Progress& progress,
                                                                        double seconds);

}  // namespace nw::cli
