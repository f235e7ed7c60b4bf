// The options of every command that fits a shared mixture.
#pragma once

#include "nw/measure/normalized_wasserstein.hpp"

#include "cli/common_options.hpp"
#include "cli/progress.hpp"

namespace nw::cli {

/// What --k says: a number of components, or 0 for "auto". Throws InvalidArgument.
[[nodiscard]] std::size_t parse_components(const std::string& text);

/// Adds --p, --shape, --restarts, --max-points and --max-dim.
void add_fit_options(CLI::App& command, measure::NwOptions& options);

/// An observer that moves the bar and stops the work on Ctrl-C. Both must outlive it.
[[nodiscard]] measure::ProgressObserver observe(Progress& progress);

}  // namespace nw::cli
