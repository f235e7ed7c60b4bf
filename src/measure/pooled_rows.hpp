// Private: the rows of two samples on a common scale, in an order that depends on their content
// alone. Tests that draw at random work on these, so that neither the order of rows and columns nor
// the units of a column can change an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/ot/problem.hpp"

#include "measure/dense.hpp"

namespace nw::measure {

/// Where a column lies and how wide it is: u = bend((v - centre) / width).
struct ColumnScale {
  double centre = 0.0;  ///< median
  double width = 0.0;   ///< 10-90 % range of a unit normal, or the deviation where that is 0
  /// False for a column that never changes, which is left out.
  [[nodiscard]] bool varies() const noexcept { return width > 0.0; }
  /// Linear up to three widths, logarithmic beyond, so that a few far values do not set the scale.
  [[nodiscard]] double apply(double value) const;
};

/// The scale of the values of one column of both samples together.
[[nodiscard]] ColumnScale column_scale(std::vector<double> values);

/// Both samples, X first.
struct PooledRows {
  std::size_t in_x = 0, in_y = 0;
  RowMatrix scaled;                 ///< [in_x + in_y, columns that vary]
  RowMatrix principal;              ///< principal components of `scaled`, each with variance one
  Eigen::VectorXd variance;         ///< of each principal component before that, decreasing
  std::vector<std::size_t> row;     ///< row of the given sample for each pooled row
  std::vector<std::size_t> column;  ///< given column for each column of `scaled`
  std::vector<ColumnScale> scale;   ///< [given columns]
  std::uint64_t fingerprint = 0;    ///< of the content: the seed of everything drawn from it

  [[nodiscard]] std::size_t rows() const noexcept { return in_x + in_y; }
  [[nodiscard]] bool from_y(std::size_t i) const noexcept { return i >= in_x; }
};

/// Pools at most `max_rows` rows of each sample. Rows with weights are kept with a chance in
/// proportion to their weight, so that those left count the same.
[[nodiscard]] PooledRows pool_rows(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                   std::size_t max_rows);

/// The leading principal components in units of the scaled columns: the fewest that keep
/// `keep_variance` of the variance, at most `most`.
[[nodiscard]] RowMatrix leading_components(const PooledRows& pool, double keep_variance,
                                           std::size_t most);

}  // namespace nw::measure
