// Private: point clouds moved and scaled to a common frame, so that squared distances neither
// overflow nor vanish and far-away clouds keep their digits.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Coordinates become (x - origin) / 2^exponent, of magnitude at most one.
struct Frame {
  std::vector<double> origin;
  int exponent = 0;

  /// 2^(exponent p): what a cost of the framed points is multiplied with, as an exponent of two.
  [[nodiscard]] int cost_exponent(GroundCost cost) const {
    return cost == GroundCost::squared_euclidean ? 2 * exponent : exponent;
  }
};

[[nodiscard]] Frame common_frame(MatrixView x, MatrixView y);
[[nodiscard]] Matrix framed_points(MatrixView points, const Frame& frame);

/// The points that have mass, in a frame.
struct HeavyCloud {
  Matrix points;
  std::vector<double> mass;  ///< positive, sums to one
};
[[nodiscard]] HeavyCloud heavy_cloud(const Matrix& framed, const std::vector<double>& masses);

}  // namespace nw::ot
