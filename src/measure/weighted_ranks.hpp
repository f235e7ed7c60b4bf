// Private: do rows of one label score higher than those of the other, when rows carry weights?
#pragma once

#include <cstdint>
#include <span>

namespace nw::measure {

struct WeightedRanks {
  double p_sum = 1.0;   ///< weighted rank sum
  double p_scan = 1.0;  ///< the largest excess among the rows with the highest or lowest scores
  double p = 1.0;       ///< of the smaller of the two
};

/// One-sided: large when label 1 scores higher. Weights count within a label. The null multiplies
/// what each row adds by a random sign, which needs no exchangeable rows.
[[nodiscard]] WeightedRanks weighted_ranks(std::span<const double> score,
                                           std::span<const std::uint8_t> label,
                                           std::span<const double> weight, int simulations);

}  // namespace nw::measure
