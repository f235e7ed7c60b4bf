// Private: min over pi on the simplex of max_c (M pi)_c, the master problem of the cutting planes.
#pragma once

#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::measure {

struct GameSolution {
  std::vector<double> pi;  ///< [columns], on the simplex
  double value = 0.0;      ///< max_c (M pi)_c: at least the minimum over the simplex
  double lower = 0.0;      ///< min_j (y^T M)_j for the other player's strategy y: at most it
};

/// Solves the zero-sum game with payoff M (finite, at least one row and one column) by the primal
/// simplex method on a dense tableau; meant for a few hundred rows and some dozens of columns.
[[nodiscard]] GameSolution solve_matrix_game(MatrixView payoff);

}  // namespace nw::measure
