// Private: directions in which weighted rows lie at two places.
#pragma once

#include <vector>

#include "measure/dense.hpp"

namespace nw::cluster {

struct TwoValuedDirections {
  measure::RowMatrix axes;         ///< [q, count] orthonormal columns
  std::vector<double> bimodality;  ///< [count] of the direction behind each, descending; 1: exact
};

/// Directions of `rows`, [n, q] of mean 0 and covariance one under `weights`, along which these are
/// most nearly two-valued. `count` is at most q; where it is q, the axes are those of the rows.
/// The result does not depend on `threads`.
[[nodiscard]] TwoValuedDirections two_valued_directions(const measure::RowMatrix& rows,
                                                        const Eigen::VectorXd& weights,
                                                        std::size_t count, int threads);

}  // namespace nw::cluster
