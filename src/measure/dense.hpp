// Private: Eigen views of our matrices.
#pragma once

#include "nw/base/matrix_view.hpp"

#include "base/decompositions.hpp"

namespace nw::measure {

using RowMatrix = RowMajorMatrix;
using ConstMatrixMap = Eigen::Map<const RowMatrix>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;

[[nodiscard]] inline ConstMatrixMap as_eigen(const MatrixView& m) {
  return {m.values().data(), static_cast<Eigen::Index>(m.rows()),
          static_cast<Eigen::Index>(m.cols())};
}

[[nodiscard]] inline ConstVectorMap as_eigen(std::span<const double> v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

[[nodiscard]] inline MatrixView as_view(const RowMatrix& m) {
  return {{m.data(), static_cast<std::size_t>(m.size())},
          static_cast<std::size_t>(m.rows()),
          static_cast<std::size_t>(m.cols())};
}

[[nodiscard]] inline Matrix to_matrix(const RowMatrix& m) {
  return {std::vector<double>(m.data(), m.data() + m.size()), static_cast<std::size_t>(m.rows()),
          static_cast<std::size_t>(m.cols())};
}

[[nodiscard]] inline std::vector<double> to_vector(const Eigen::VectorXd& v) {
  return {v.data(), v.data() + v.size()};
}

}  // namespace nw::measure
