// Subspace iteration with a Chebyshev filter (Zhou, Saad, Tiago and Chelikowsky 2006, section 3):
// a polynomial that is small on the unwanted part of the spectrum and grows fast above it. A block
// finds eigenvalues of any multiplicity, which the graph of well separated clusters has.
#include "cluster/leading_eigenvectors.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/parallel.hpp"

namespace nw::cluster {
namespace {

using measure::RowMatrix;

constexpr int kDegree = 24, kMaxRounds = 60;
constexpr double kResidual = 1e-7;
constexpr std::size_t kSpare = 6, kGrain = 256;

RowMatrix multiply(const SparseSymmetric& matrix, const RowMatrix& x, int threads) {
  RowMatrix y = RowMatrix::Zero(x.rows(), x.cols());
  parallel_for(threads, matrix.rows(), kGrain, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t i = first; i < last; ++i) {
      auto row = y.row(static_cast<Eigen::Index>(i));
      for (std::size_t e = matrix.begin[i]; e < matrix.begin[i + 1]; ++e) {
        row += matrix.value[e] * x.row(static_cast<Eigen::Index>(matrix.column[e]));
      }
    }
  });
  return y;
}

/// T_degree of the map that takes [-1, upper] to [-1, 1].
RowMatrix filter(const SparseSymmetric& matrix, const RowMatrix& x, double upper, int threads) {
  const double half = 0.5 * (upper + 1.0), middle = 0.5 * (upper - 1.0);
  const auto mapped = [&](const RowMatrix& v) {
    RowMatrix product = multiply(matrix, v, threads);
    product -= middle * v;
    product /= half;
    return product;
  };
  RowMatrix before = x, now = mapped(x);
  for (int degree = 2; degree <= kDegree; ++degree) {
    RowMatrix next = 2.0 * mapped(now) - before;
    before = std::move(now);
    now = std::move(next);
  }
  return now;
}

RowMatrix orthonormal(RowMatrix x, const Eigen::VectorXd& known) {
  x -= known * (known.transpose() * x);
  RowMatrix q = orthonormal_columns(x);
  q -= known * (known.transpose() * q);
  return q;
}

}  // namespace

Eigenpairs leading_eigenvectors(const SparseSymmetric& matrix, const Eigen::VectorXd& known,
                                std::size_t count, Rng rng, int threads) {
  const std::size_t n = matrix.rows();
  require(count > 0 && count < n, "leading_eigenvectors: ", count, " of a matrix of ", n, " rows");
  const std::size_t block = std::min(n - 1, count + kSpare);
  const auto wanted = static_cast<Eigen::Index>(count);
  RowMatrix v(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(block));
  for (Eigen::Index i = 0; i < v.size(); ++i) v.data()[i] = rng.normal();
  v = orthonormal(std::move(v), known);
  double upper = 0.5;
  Eigenpairs result;
  for (int round = 0; round < kMaxRounds && !result.converged; ++round) {
    v = orthonormal(filter(matrix, v, upper, threads), known);
    const RowMatrix product = multiply(matrix, v, threads);
    const Eigen::MatrixXd small = v.transpose() * product;
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (small + small.transpose()));
    const Eigen::MatrixXd rotation = eigen.vectors.rowwise().reverse();
    const Eigen::VectorXd values = eigen.values.reverse();
    v = v * rotation;
    const RowMatrix residual =
        product * rotation.leftCols(wanted) - v.leftCols(wanted) * values.head(wanted).asDiagonal();
    result.values = measure::to_vector(values.head(wanted));
    result.converged = residual.colwise().norm().maxCoeff() < kResidual;
    // The filter must leave the wanted part alone: above the last value of the block.
    upper = std::clamp(values[values.size() - 1], 0.0, 0.9999);
  }
  result.vectors = v.leftCols(wanted);
  return result;
}

}  // namespace nw::cluster
