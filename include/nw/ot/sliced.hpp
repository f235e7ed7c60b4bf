// Sliced Wasserstein distance: the mean of one-dimensional distances over random directions.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Knobs of the sliced distance.
struct SlicedOptions {
  /// Random directions, at least 2. The standard error falls with their square root.
  int directions = 256;
  /// Threads; 0 means all cores. The answer is the same for every value.
  int threads = 0;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// The sliced distance, how sure it is, and what it proves about the distance itself.
struct SlicedResult {
  double distance = 0.0;        ///< SW_p, the p-th root of `mean`
  double distance_error = 0.0;  ///< its standard error over directions, by the delta method
  double mean = 0.0;            ///< mean over directions of W_p^p of the projections
  double standard_error = 0.0;  ///< of `mean`
  /// W_p^p of the full problem lies in [lower_bound, upper_bound], up to rounding: projecting
  /// shortens distances, and the coupling of each projection is a coupling of the points.
  double lower_bound = 0.0, upper_bound = 0.0;
  std::vector<double> projected_cost;  ///< W_p^p of each projection
};

/// E over directions u of W_p^p(u.X, u.Y), with p = 1 for `euclidean` and p = 2 for
/// `squared_euclidean`. O(directions (n + m)(d + log(n + m))) time, O(n + m) memory a thread.
[[nodiscard]] SlicedResult sliced_wasserstein(const PointProblem& problem,
                                              const SlicedOptions& options, Rng& rng);

/// The same over given directions, one per row of [count, d], each of length one.
[[nodiscard]] SlicedResult sliced_wasserstein(const PointProblem& problem, MatrixView directions,
                                              int threads = 0);

}  // namespace nw::ot
