// Private: exact nearest neighbours by matrix products.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::cluster {

/// The nearest rows of each query, nearest first.
struct NearestRows {
  std::size_t count = 0;           ///< of each query
  std::vector<std::uint32_t> row;  ///< [queries, count]
  std::vector<double> distance;    ///< [queries, count], squared
};

/// `count` neighbours of every query among the rows of `reference`; ties go to the earlier row.
/// With `skip_self` query i is row i and is left out. Costs one distance per pair.
[[nodiscard]] NearestRows nearest_rows(MatrixView queries, MatrixView reference, std::size_t count,
                                       bool skip_self, int threads);

}  // namespace nw::cluster
