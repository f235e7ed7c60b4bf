// Private: the energy distance between two groups of rows and its permutation test.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/rng.hpp"

#include "measure/dense.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

struct EnergyTest {
  double distance = 0.0;  ///< 2 E|x - y| - E|x - x'| - E|y - y'|
  double null_mean = 0.0;
  double null_deviation = 0.0;
  double p = 1.0;
};

/// Euclidean distances between all rows of `points`.
[[nodiscard]] Eigen::MatrixXf row_distances(const RowMatrix& points);

/// Szekely and Rizzo (2004) for the rows listed, of which those with label 1 form the second group.
[[nodiscard]] EnergyTest energy_test(const Eigen::MatrixXf& distance,
                                     std::span<const std::size_t> rows,
                                     std::span<const std::uint8_t> label, int permutations,
                                     const Rng& rng, const StopCheck& stop = {});

}  // namespace nw::measure
