// Shares of the components of a fit among rows that come block by block: for data of which the fit
// saw a sample.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/measure/normalized_wasserstein.hpp"

namespace nw::measure {

class MemberShares {
 public:
  /// `fit` must outlive this; `pi` are the shares from which memberships are judged.
  MemberShares(const NwResult& fit, std::vector<double> pi, int threads = 0);

  /// Rows of the data space.
  void add(MatrixView rows);
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// [k]: the memberships of all rows so far, added up.
  [[nodiscard]] const std::vector<double>& sum() const noexcept { return sum_; }
  /// [k]: their mean.
  [[nodiscard]] std::vector<double> mean() const;

 private:
  const NwResult& fit_;
  std::vector<double> pi_, sum_;
  double ridge_;
  int threads_;
  std::size_t rows_ = 0;
};

}  // namespace nw::measure
