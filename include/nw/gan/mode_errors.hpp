// The scores of the paper's mixture-of-Gaussians table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::gan {

/// How far generated modes are from real ones. Points belong to the nearest true centre.
struct ModeErrors {
  /// Squared difference of the mean vectors, averaged over coordinates and modes.
  double mean_error = 0.0;
  /// The same for the entries of the covariance matrices.
  double covariance_error = 0.0;
  /// |pi - pi'|^2 / |pi|^2 for the shares pi of real and pi' of generated points.
  double proportion_error = 0.0;
  /// Modes with at least a quarter of their real share. The others are left out of the first two
  /// errors, where they have no mean to compare.
  int modes = 0;
  std::vector<double> real_share, generated_share;  ///< [modes]
};

/// `centres` [k, d] are the true ones; `real` and `generated` are [n, d] and [m, d].
[[nodiscard]] ModeErrors mode_errors(MatrixView centres, MatrixView real, MatrixView generated);

}  // namespace nw::gan
