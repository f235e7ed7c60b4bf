// How often training writes to its log and keeps a checkpoint: the same for every command.
#pragma once

#include <algorithm>

#include "nw/train/training_loop.hpp"

namespace nw::app {

constexpr std::int64_t kLinesOfLog = 200, kCheckpointsOfRun = 20;

/// `checkpoint_every` in steps; 0: twenty times in a run.
[[nodiscard]] inline train::LoopOptions spaced_loop(std::int64_t steps,
                                                    std::int64_t checkpoint_every,
                                                    std::int64_t lines = kLinesOfLog) {
  const auto every = [&](std::int64_t times) { return std::max<std::int64_t>(1, steps / times); };
  return {.steps = steps,
          .log_every = every(lines),
          .checkpoint_every = checkpoint_every > 0 ? checkpoint_every : every(kCheckpointsOfRun)};
}

}  // namespace nw::app
