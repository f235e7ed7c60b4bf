// k-means: the plainest clustering, and the baseline of the others.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/ot/problem.hpp"

namespace nw::cluster {

struct KMeansOptions {
  /// k. Positive, at most the number of points.
  std::size_t components = 8;
  /// Starts by k-means++; the one with the least inertia wins. Positive.
  int restarts = 10;
  /// Rounds of Lloyd's algorithm per start. Positive.
  int max_iterations = 300;
  /// Stop when the centres moved, in squares, by less than this part of the mean variance of a
  /// coordinate. Not negative.
  double tolerance = 1e-4;
  /// 0: every core. The result does not depend on it.
  int threads = 0;
  /// Called before every start with the share done; false stops after the starts so far.
  std::function<bool(double)> observer = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

struct KMeansResult {
  Matrix centres;                         ///< [k, d], the largest cluster first
  std::vector<std::uint32_t> assignment;  ///< [n]: the nearest centre
  std::vector<double> share;              ///< [k]: mass of each cluster
  double inertia = 0.0;                   ///< sum of weights times squared distances
  int iterations = 0;                     ///< of the winning start
  bool converged = false;                 ///< of the winning start, within max_iterations
  bool interrupted = false;               ///< by the observer
};

/// Weights are used as they are: a weight of 2 is a point that is there twice; empty means 1 each.
[[nodiscard]] KMeansResult kmeans(const ot::WeightedPoints& data, const KMeansOptions& options,
                                  const Rng& rng);

}  // namespace nw::cluster
