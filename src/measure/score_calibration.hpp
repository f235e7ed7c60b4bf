// Private: probabilities that mean what they say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "measure/dense.hpp"

namespace nw::measure {

/// log q_c = temperature log p_c + bias_c + constant.
struct Calibration {
  double temperature = 1.0;
  Eigen::VectorXd bias;

  /// Probabilities [rows, k] after calibration.
  [[nodiscard]] RowMatrix apply(const RowMatrix& log_scores) const;
};

/// The calibration under which the classes are likeliest (Alexandari, Kundaje and Shrikumar 2020,
/// "bias-corrected temperature scaling"), by Newton's method: the problem is convex.
[[nodiscard]] Calibration calibrate(const RowMatrix& log_scores,
                                    std::span<const std::uint32_t> class_of);

}  // namespace nw::measure
