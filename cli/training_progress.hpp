// The progress line of a training command: rate, losses, proportions and the time left.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/progress.hpp"

namespace nw::cli {

/// Where a training run is.
struct TrainingStatus {
  std::int64_t step = 0, total = 0;
  std::vector<std::pair<std::string, double>> losses = {};
  std::vector<double> pi = {};
};

/// "1234/5000, 310 steps/s, 12 s left, pi 0.10 0.20 0.70, objective 0.52": what matters most first,
/// because a terminal cuts off the end. A rate of 0 leaves rate and time out; of the name of a loss
/// what follows the slash is shown.
[[nodiscard]] std::string describe(const TrainingStatus& status, double steps_per_second);

/// "59 s", "12 min 5 s", "3 h 20 min".
[[nodiscard]] std::string describe_duration(double seconds);

/// A Progress for training loops.
class TrainingProgress {
 public:
  /// `first_step` is where this process starts: not 0 for a resumed run.
  TrainingProgress(std::string task, bool visible, std::int64_t first_step);

  /// Whether update() would show anything; fetch losses from the device only then.
  [[nodiscard]] bool due() const { return progress_.due(); }
  void update(const TrainingStatus& status);

 private:
  Progress progress_;
  Stopwatch clock_;
  std::int64_t last_step_;
  double last_time_ = 0.0, rate_ = 0.0;
};

}  // namespace nw::cli
