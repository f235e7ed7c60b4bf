// The directions in which points vary most.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"

namespace nw::cluster {

/// An orthogonal projection of points.
struct PrincipalAxes {
  std::vector<double> mean;  ///< [d]
  Matrix axes;               ///< [m, d], orthonormal; no rows: only the mean is taken off

  /// [n, d] -> [n, m].
  [[nodiscard]] Matrix project(MatrixView points, int threads = 0) const;
};

/// The `count` leading principal axes of the rows, or only their mean when they have no more than
/// `count` coordinates. The result does not depend on the threads (0: every core).
[[nodiscard]] PrincipalAxes principal_axes(MatrixView points, std::size_t count, Rng rng,
                                           int threads = 0);

}  // namespace nw::cluster
