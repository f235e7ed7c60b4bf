// Exact optimal transport by a multilevel network simplex with implicit costs.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// What the exact solver reports while it works.
struct ExactProgress {
  int level = 0;            ///< 0 is the coarsest
  int levels = 1;           ///< how many there are
  std::int64_t pivots = 0;  ///< so far
  /// (cost - lower bound) / cost of the current plan; infinite while there is none.
  double gap = std::numeric_limits<double>::infinity();
};

/// Knobs of the exact solver. The defaults suit every problem we know of.
struct ExactOptions {
  /// Largest violation of dual feasibility accepted, relative to the scale of the costs.
  /// In [1e-15, 1e-3]. Looser values stop earlier; the reported gap stays honest.
  double tolerance = 1e-12;
  /// Stop with `gap_reached` as soon as (cost - lower bound) / cost is proven to be at most this.
  /// In [0, 1); 0 continues to the optimum.
  double gap = 0.0;
  /// Pivot budget; 0 means no limit.
  std::int64_t max_pivots = 0;
  /// Threads; 0 means all cores. The answer is the same for every value.
  int threads = 0;
  /// Called now and then from the solving thread; return false to stop with `interrupted`. Plan and
  /// potentials are then the best so far, and they still bound the optimum.
  std::function<bool(const ExactProgress&)> observer = {};
  /// A previous result for the same numbers of points, after points, weights or masses changed:
  /// its potentials and plan replace the coarse levels. Any result gives the right answer; a near
  /// one gives it sooner. Must outlive the call.
  const TransportResult* warm_start = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Solves the transport problem between two point clouds; memory O(n + m), not O(n m).
[[nodiscard]] TransportResult solve_exact(const PointProblem& problem,
                                          const ExactOptions& options = {});

/// Solves the transport problem for a general cost matrix.
[[nodiscard]] TransportResult solve_exact(const MatrixProblem& problem,
                                          const ExactOptions& options = {});

}  // namespace nw::ot
