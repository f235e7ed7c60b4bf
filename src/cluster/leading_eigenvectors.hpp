// Private: the largest eigenvalues of a sparse symmetric matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"

#include "measure/dense.hpp"

namespace nw::cluster {

/// A symmetric matrix by its rows; eigenvalues lie in [-1, 1].
struct SparseSymmetric {
  std::vector<std::size_t> begin;     ///< [n + 1]
  std::vector<std::uint32_t> column;  ///< [entries]
  std::vector<double> value;          ///< [entries]

  [[nodiscard]] std::size_t rows() const noexcept { return begin.size() - 1; }
};

struct Eigenpairs {
  std::vector<double> values;  ///< descending
  measure::RowMatrix vectors;  ///< [n, count], orthonormal columns
  bool converged = false;
};

/// The `count` largest eigenpairs orthogonal to `known`, a unit eigenvector of the matrix.
[[nodiscard]] Eigenpairs leading_eigenvectors(const SparseSymmetric& matrix,
                                              const Eigen::VectorXd& known, std::size_t count,
                                              Rng rng, int threads);

}  // namespace nw::cluster
