// The point clouds that transport is timed on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"

namespace nw::experiments {

/// Two clouds with optional weights, ready to be solved.
struct CloudPair {
  std::string name = {};
  Matrix x = {}, y = {};
  std::vector<double> x_weights = {}, y_weights = {};  ///< empty: equal

  [[nodiscard]] bool weighted() const { return !x_weights.empty(); }
};

/// Four round components with masses 0.4, 0.3, 0.2 and 0.1 in X and the reverse in Y.
[[nodiscard]] CloudPair mixture_clouds(std::size_t n, std::size_t dimension, Rng rng);

/// In the plane, with mass that travels far: a standard Gaussian, and one with deviations 0.5 and
/// 1.5 about (2, 0.5).
[[nodiscard]] CloudPair far_clouds(std::size_t n, Rng rng);

/// In the plane, with mass that stays near: two uniform samples of the unit square.
[[nodiscard]] CloudPair near_clouds(std::size_t n, Rng rng);

/// The same as mixture_clouds with weights drawn uniformly from (0, 1).
[[nodiscard]] CloudPair weighted_mixture_clouds(std::size_t n, std::size_t dimension, Rng rng);

/// Clouds of about n points in the plane on which transport solvers cycle, stall or lose digits.
[[nodiscard]] std::vector<CloudPair> degenerate_clouds(std::size_t n, const Rng& rng);

}  // namespace nw::experiments
