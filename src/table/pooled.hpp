// Private: moments of a column over both sides, each of which weighs the same.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "nw/table/value_grid.hpp"

#include "table/typed_column.hpp"

namespace nw::table {

/// Weights of the rows; an empty list means equal ones.
struct RowWeights {
  std::span<const double> x = {}, y = {};
};

/// The values of a numeric column that are there, in order, with weights that sum to one; counted
/// on a grid where one is given.
class PooledValues {
 public:
  PooledValues(const TypedColumn& column, const RowWeights& weights, const ValueGrid& grid = {});

  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  /// The least value with at least the share `p` of the weight up to it.
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
  /// The weight of values farther than `distance` from `centre`.
  [[nodiscard]] double share_beyond(double centre, double distance) const;
  [[nodiscard]] double least() const { return values_.front().first; }
  [[nodiscard]] double greatest() const { return values_.back().first; }

 private:
  std::vector<std::pair<double, double>> values_;  ///< value and weight of everything up to it
};

/// The shares of rows on each side, by weight, whose cells satisfy `test(side, row)`.
template <typename Test>
double share_of(std::size_t rows, std::span<const double> weights, Test&& test) {
  double sum = 0.0, total = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double w = weights.empty() ? 1.0 : weights[i];
    total += w;
    if (test(i)) sum += w;
  }
  return total > 0.0 ? sum / total : 0.0;
}

}  // namespace nw::table
