// Private: what a classifier says about two samples, in one of which the classes are known.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/dense.hpp"

namespace nw::measure {

struct ClassScores {
  RowMatrix x, y;                                 ///< [rows, k] probabilities
  std::vector<std::uint32_t> class_of;            ///< of the rows of X
  std::vector<std::vector<std::size_t>> rows_of;  ///< [k] rows of X
  Eigen::VectorXd share_x;                        ///< [k]

  [[nodiscard]] std::size_t classes() const { return rows_of.size(); }
};

/// Sorts the rows of X by their classes.
[[nodiscard]] ClassScores class_scores(RowMatrix x, RowMatrix y,
                                       std::vector<std::uint32_t> class_of);

}  // namespace nw::measure
