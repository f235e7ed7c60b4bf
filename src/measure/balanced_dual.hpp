// Private: dual potentials that do not depend on the proportions.
#pragma once

#include <span>
#include <vector>

#include "nw/measure/mixture.hpp"
#include "nw/ot/problem.hpp"

namespace nw::measure {

/// From target potentials v of any proportions: v is shifted to mean zero in each component, and
/// u_i = min_s (C_is - v_s). These are feasible, and their dual objective sum_i a_i u_i is the same
/// for every pi: a lower bound of min over pi of W, and the optimum of its dual when v is.
struct BalancedDual {
  double bound = 0.0;                    ///< sum_i a_i u_i
  std::vector<double> source_potential;  ///< u: [n]
  std::vector<double> shares;  ///< [k] mass of the points whose minimum lies in component j
};

/// O(n m d) time, O(n + m d) memory.
[[nodiscard]] BalancedDual balanced_dual(const ot::WeightedPoints& data, const Atoms& atoms,
                                         ot::GroundCost cost,
                                         std::span<const double> target_potential);

}  // namespace nw::measure
