// What commands that fit a shared mixture have in common.
#pragma once

#include <cstddef>
#include <string>

#include "nw/base/progress.hpp"

#include "cli/progress.hpp"

namespace nw::cli {

/// What --k says: a number of components, or 0 for "auto". Throws InvalidArgument.
[[nodiscard]] std::size_t parse_components(const std::string& text);

/// An observer that moves the bar and stops the work on Ctrl-C. Both must outlive it.
[[nodiscard]] ProgressObserver observe(Progress& progress);

}  // namespace nw::cli
