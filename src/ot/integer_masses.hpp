// Weights as integers, so that flows are exact and ties are seen as ties.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nw::ot {

/// Integer masses of both sides with the same total.
struct IntegerMasses {
  std::vector<std::int64_t> source, target;  ///< a zero here marks a point without mass
  std::int64_t total = 0;
};

/// Empty weights mean equal ones. Equal weights and weights that are moderate integers (counts) are
/// represented exactly; others are rounded to 2^-60 of the total, and a weight below half of that
/// becomes zero. REQUIRES: weights validated by the problem.
[[nodiscard]] IntegerMasses integer_masses(std::span<const double> source_weights,
                                           std::size_t sources,
                                           std::span<const double> target_weights,
                                           std::size_t targets);

}  // namespace nw::ot
