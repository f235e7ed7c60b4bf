// Private: how an application opens its run and reports the progress of its training.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "nw/app/learning/run_folder.hpp"
#include "nw/base/progress.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/training_loop.hpp"

namespace nw::app {

/// The directory that `folder` names, or nothing. `config` is the text of one JSON object.
[[nodiscard]] inline std::optional<run::RunDirectory> open_run(const RunFolder& folder,
                                                               const std::string& config) {
  if (folder.path.empty()) return std::nullopt;
  return run::RunDirectory(folder.path, config, {.mode = folder.mode});
}

/// Hands the progress of a loop on, with the proportions of data set `side`. `observer` must
/// outlive the result.
[[nodiscard]] inline train::LoopObserver loop_observer(std::string stage,
                                                       const ProgressObserver& observer,
                                                       std::size_t side = 0) {
  if (!observer) return {};
  return [stage = std::move(stage), &observer, side](const train::LoopProgress& at) {
    Progress progress{.stage = stage,
                      .share = static_cast<double>(at.step) / static_cast<double>(at.steps),
                      .step = at.step,
                      .steps = at.steps,
                      .values = at.values};
    if (side < at.proportions.size()) progress.pi = at.proportions[side];
    return observer(progress);
  };
}

}  // namespace nw::app
