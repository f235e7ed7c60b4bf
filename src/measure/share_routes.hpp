// Private: the mix of known classes in a sample without labels, from what a classifier says about
// its rows, in several ways.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/share_estimate.hpp"

#include "measure/class_scores.hpp"
#include "measure/score_calibration.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

struct ShareRouteOptions {
  /// The scores were calibrated on X: every resample is calibrated anew, so that the intervals hold
  /// the error of that as well.
  bool calibrated = true;
  int resamplings = 200;
  double confidence = 0.95;
  int threads = 1;
  StopCheck stop = {};
};

struct ClassShareRoutes {
  ShareEstimate likelihood, confusion, transport;
  /// [resamplings][k] of the shares by likelihood, around them, for all rows.
  std::vector<std::vector<double>> errors;
};

/// Every class must have a row in X.
[[nodiscard]] ClassShareRoutes find_class_shares(const ClassScores& scores,
                                                 const ShareRouteOptions& options, const Rng& rng);

/// Shares by maximum likelihood, from `start` on.
[[nodiscard]] Eigen::VectorXd shares_by_likelihood(const ClassScores& scores,
                                                   const Eigen::VectorXd& start, double tolerance);

/// The answer with the intervals that its own error and what the others find give together: they
/// reach from the smallest share to the largest, and by the error of the answer beyond.
[[nodiscard]] ShareEstimate widened(const ShareEstimate& answer,
                                    const std::vector<ShareEstimate>& others);

}  // namespace nw::measure
