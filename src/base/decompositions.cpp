#include "base/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace nw {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& matrix) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  return qr.householderQ() * Eigen::MatrixXd::Identity(matrix.rows(), matrix.cols());
}

CholeskyFactor cholesky_factor(const RowMajorMatrix& matrix) {
  const Eigen::LLT<RowMajorMatrix> cholesky(matrix);
  return {.lower = cholesky.matrixL(), .positive_definite = cholesky.info() == Eigen::Success};
}

RowMajorMatrix solve_semidefinite(const RowMajorMatrix& matrix, const RowMajorMatrix& right) {
  return Eigen::LDLT<RowMajorMatrix>(matrix).solve(right);
}

Eigen::VectorXd least_norm_solution(const RowMajorMatrix& matrix, const Eigen::VectorXd& right) {
  return matrix.completeOrthogonalDecomposition().solve(right);
}

RowMajorMatrix whitened_rows(const RowMajorMatrix& lower, const RowMajorMatrix& rows) {
  return lower.triangularView<Eigen::Lower>().solve(rows.transpose()).transpose();
}

}  // namespace nw
