// Private: rows that lie far apart, for clusters and components to begin at.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/ot/problem.hpp"

namespace nw::measure {

struct SeedRows {
  std::vector<std::size_t> rows;
  double potential = 0.0;  ///< sum over all points of weight times squared distance to the nearest
};

/// How many rows the greedy form of k-means++ draws for each of `count` that it keeps.
[[nodiscard]] int greedy_candidates(std::size_t count);

/// `count` rows by k-means++ (Arthur and Vassilvitskii 2007, section 2.2): each is drawn by weight
/// times squared distance to those before it, and of `candidates` drawn the one that lowers the
/// potential most is kept. Rows repeat where there are fewer distinct points than `count`.
[[nodiscard]] SeedRows seed_rows(const ot::WeightedPoints& data, std::size_t count, int candidates,
                                 Rng& rng);

}  // namespace nw::measure
