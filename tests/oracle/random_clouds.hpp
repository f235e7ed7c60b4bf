// Random point clouds for tests.
#pragma once

#include <cmath>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/ot/problem.hpp"

namespace nw::oracle {

/// Two clouds and their weights (empty: equal masses).
struct Clouds {
  Matrix x, y;
  std::vector<double> a, b;

  [[nodiscard]] ot::PointProblem problem(ot::GroundCost cost) const {
    return {{x, a}, {y, b}, cost};
  }
};

inline Matrix normal_points(Rng& rng, std::size_t n, std::size_t d) {
  Matrix points(n, d);
  for (double& value : points.values()) value = rng.normal();
  return points;
}

/// Coordinates on a grid of `levels` values per axis: ties and duplicates in plenty.
inline Matrix lattice_points(Rng& rng, std::size_t n, std::size_t d, std::uint64_t levels) {
  Matrix points(n, d);
  for (double& value : points.values()) value = static_cast<double>(rng.below(levels));
  return points;
}

/// Uniform weights of which about a quarter are exactly zero, but not all.
inline std::vector<double> random_weights(Rng& rng, std::size_t n) {
  std::vector<double> weights(n);
  for (double& weight : weights) weight = rng.below(4) == 0 ? 0.0 : rng.uniform();
  weights[static_cast<std::size_t>(rng.below(n))] = 1.0;
  return weights;
}

inline std::size_t size_between(Rng& rng, std::size_t low, std::size_t high) {
  return low + static_cast<std::size_t>(rng.below(high - low + 1));
}

/// Every coordinate times 2^exponent, which is exact.
inline void scale_by_power_of_two(Matrix& points, int exponent) {
  for (double& value : points.values()) value = std::ldexp(value, exponent);
}

}  // namespace nw::oracle
