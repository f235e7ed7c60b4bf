// Private: decompositions of dense matrices, compiled once. Every file that names one of Eigen's
// solvers compiles it anew, which takes seconds.
#pragma once

#include <Eigen/Core>

namespace nw {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Eigenvalues ascend; column i of `vectors` belongs to value i.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Reads the lower half of a symmetric matrix.
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

/// Orthonormal columns that span those of `matrix`, which has at least as many rows as columns.
[[nodiscard]] Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& matrix);

/// L L' = matrix.
struct CholeskyFactor {
  RowMajorMatrix lower;            ///< zeros above the diagonal
  bool positive_definite = false;  ///< otherwise `lower` is of no use
};
[[nodiscard]] CholeskyFactor cholesky_factor(const RowMajorMatrix& matrix);

/// X with matrix X = right, for a symmetric positive semidefinite matrix.
[[nodiscard]] RowMajorMatrix solve_semidefinite(const RowMajorMatrix& matrix,
                                                const RowMajorMatrix& right);

/// The shortest x among those that bring matrix x nearest to `right`.
[[nodiscard]] Eigen::VectorXd least_norm_solution(const RowMajorMatrix& matrix,
                                                  const Eigen::VectorXd& right);

/// The rows of `rows` times the inverse of L': rows whose covariance is L L' become white.
[[nodiscard]] RowMajorMatrix whitened_rows(const RowMajorMatrix& lower, const RowMajorMatrix& rows);

}  // namespace nw
