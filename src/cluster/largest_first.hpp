// Private: clusters in the order of their size, which every method reports them in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "nw/base/matrix_view.hpp"

#include "measure/dense.hpp"

namespace nw::cluster {

/// Clusters by falling mass; those of equal mass keep their order.
struct LargestFirst {
  Matrix centres;             ///< [k, d]
  std::vector<double> share;  ///< [k], mass / total
};

/// Numbers in `assignment` become places in that order.
inline LargestFirst largest_first(const std::vector<double>& mass, double total,
                                  const measure::RowMatrix& centres,
                                  std::vector<std::uint32_t>& assignment) {
  const std::size_t k = mass.size();
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return mass[a] > mass[b]; });
  LargestFirst result{.centres = Matrix(k, static_cast<std::size_t>(centres.cols())), .share = {}};
  std::vector<std::uint32_t> place(k);
  for (std::size_t r = 0; r < k; ++r) {
    place[order[r]] = static_cast<std::uint32_t>(r);
    result.share.push_back(mass[order[r]] / total);
    Eigen::Map<Eigen::RowVectorXd>(result.centres.row(r).data(), centres.cols()) =
        centres.row(static_cast<Eigen::Index>(order[r]));
  }
  for (auto& cluster : assignment) cluster = place[cluster];
  return result;
}

}  // namespace nw::cluster
