// The loop around a game: steps, log, checkpoints, and the way back after a divergence.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "nw/base/team.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/game.hpp"

namespace nw::train {

struct LoopOptions {
  /// Steps of the game in total. Positive.
  std::int64_t steps = 1000;
  /// Steps between two lines of the log, and between two looks for a divergence. Positive.
  std::int64_t log_every = 50;
  /// Seconds after which the observer hears of a step between two lines of the log, so that slow
  /// training shows that it is alive and stops soon when it is asked to. Not negative.
  double heartbeat = 0.5;
  /// Steps between two checkpoints. Positive.
  std::int64_t checkpoint_every = 1000;
  /// A value of the game beyond this in size counts as a divergence, as does one that is not
  /// finite. Positive.
  double divergence_limit = 1e6;
  /// Ways back, each with half the learning rates, before the loop gives up. Not negative.
  int max_recoveries = 3;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// What the loop says at every line of the log and at every heartbeat.
struct LoopProgress {
  std::int64_t step = 0, steps = 0;                    ///< done, in total
  std::vector<std::pair<std::string, double>> values;  ///< of the step just done
  std::vector<std::vector<double>> proportions;        ///< of each data set
  double seconds = 0.0;                                ///< in this process
  double steps_per_second = 0.0;
  bool logged = true;  ///< a line of the log, not only a heartbeat
};
/// Return false to stop after a checkpoint.
using LoopObserver = std::function<bool(const LoopProgress&)>;

/// Further numbers for the log, computed when a line is written. They must not depend on the clock.
using LoopMetrics =
    std::function<std::vector<std::pair<std::string, run::MetricValue>>(std::int64_t step)>;

/// What the log calls the proportions of data set `side` of `sides`: pi, or pi_x and pi_y.
[[nodiscard]] const char* proportions_name(std::size_t side, std::size_t sides);

/// What goes on around a loop; a part that is left out is not there.
struct LoopSurroundings {
  /// Where metrics and checkpoints go. The loop begins at the last checkpoint there.
  run::RunDirectory* directory = nullptr;
  LoopObserver observer = {};
  LoopMetrics metrics = {};
  /// Processes that play the same game together: the first one alone has the directory, and all
  /// stop when one of their observers asks for it.
  Team* team = nullptr;
};

enum class LoopEnd { finished, interrupted, diverged };

[[nodiscard]] const char* to_string(LoopEnd end);

struct LoopResult {
  LoopEnd end = LoopEnd::finished;
  std::int64_t steps = 0;    ///< done, earlier processes included
  std::int64_t resumed = 0;  ///< step of the checkpoint the loop began from
  int recoveries = 0;
  std::vector<std::string> warnings;  ///< what went wrong without ending the loop
  double seconds = 0.0;               ///< in this process
};

/// Plays `game` to the end. With a run directory it begins at the last checkpoint there, writes
/// metrics and checkpoints, and leaves a checkpoint when it stops; without one, the state of the
/// last checkpoint is kept in memory.
LoopResult play(Game& game, const LoopOptions& options, const LoopSurroundings& around = {});

}  // namespace nw::train
