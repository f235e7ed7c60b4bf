// Equilibrium k-means: centres that points of other centres push away, made for clusters of unequal
// size. A rival to compare with.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/ot/problem.hpp"

namespace nw::cluster {

struct EquilibriumKMeansOptions {
  /// k. Positive, at most the number of points.
  std::size_t components = 8;
  /// Sharpness: memberships are proportional to exp(-alpha |x - c|^2). 0 chooses 2 over the mean
  /// squared distance to the middle, as the paper does. Not negative.
  double alpha = 0.0;
  /// Starts by k-means++; the one with the least objective wins. Positive.
  int restarts = 1;
  /// Rounds per start. Positive.
  int max_iterations = 500;
  /// Stop when all centres together move by less than this part of the mean variance of a
  /// coordinate. Not negative.
  double tolerance = 1e-6;
  /// Called before every start with the share done; false stops after the starts so far.
  std::function<bool(double)> observer = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

struct EquilibriumKMeansResult {
  Matrix centres;                         ///< [k, d], the largest cluster first
  std::vector<std::uint32_t> assignment;  ///< [n]: the nearest centre
  std::vector<double> confidence;         ///< [n]: membership in it
  std::vector<double> share;              ///< [k]: mass of each cluster
  double alpha = 0.0;                     ///< the sharpness that was used
  double objective = 0.0;                 ///< mean over points of their soft least distance
  int iterations = 0;                     ///< of the winning start
  bool converged = false;
  bool interrupted = false;
};

/// Empty weights mean 1 each.
[[nodiscard]] EquilibriumKMeansResult equilibrium_kmeans(const ot::WeightedPoints& data,
                                                         const EquilibriumKMeansOptions& options,
                                                         const Rng& rng);

}  // namespace nw::cluster
