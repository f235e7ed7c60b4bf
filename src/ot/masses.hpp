// Private: weights as every solver of nw::ot uses them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace nw::ot {

/// Masses that sum to one up to rounding: weights / sum, or 1 / count where `weights` is empty.
/// Weights of any finite scale are fine: they are divided by the largest before they are added.
/// REQUIRES: weights as PointProblem::validate() accepts them.
[[nodiscard]] std::vector<double> normalized_masses(std::span<const double> weights,
                                                    std::size_t count);

}  // namespace nw::ot
