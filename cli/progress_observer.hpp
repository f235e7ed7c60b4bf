// The progress of an application on the terminal, and Ctrl-C as its way to stop.
#pragma once

#include "nw/base/progress.hpp"

namespace nw::cli {

/// Shows a line for each stage, where it is `visible`, until the observer is destroyed; asks the
/// application to stop at Ctrl-C.
[[nodiscard]] ProgressObserver training_observer(bool visible);

}  // namespace nw::cli
