// How far long work is, as every application reports it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nw {

/// Where an application stands. Work that trains fills in the steps and what it learns.
struct Progress {
  std::string stage;  ///< what it does: "choose-k", "start 2", "nwgan"
  /// Of the stage, in [0, 1]; where all stages are known beforehand, of all of them: it never
  /// falls.
  double share = 0.0;
  std::int64_t step = 0, steps = 0;
  std::vector<std::pair<std::string, double>> values = {};  ///< losses of the last step
  std::vector<double> pi = {};                              ///< proportions so far
  int round = 0;  ///< of work that starts several times: the start, from 0
};

/// Called now and then; return false to stop the work cleanly.
using ProgressObserver = std::function<bool(const Progress&)>;

}  // namespace nw
