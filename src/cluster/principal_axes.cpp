// Subspace iteration on the covariance, which is small beside the points.
#include "nw/cluster/principal_axes.hpp"

#include <algorithm>

#include "nw/base/parallel.hpp"

#include "measure/dense.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

constexpr std::size_t kBlock = 512;
constexpr int kRounds = 12;
constexpr std::size_t kSpare = 10;

RowMatrix centred_rows(MatrixView points, std::size_t begin, std::size_t rows,
                       const std::vector<double>& mean) {
  const MatrixView part(points.values().subspan(begin * points.cols(), rows * points.cols()), rows,
                        points.cols());
  return as_eigen(part).rowwise() - as_eigen(std::span<const double>(mean)).transpose();
}

Eigen::MatrixXd scatter(MatrixView points, const std::vector<double>& mean, int threads) {
  const auto d = static_cast<Eigen::Index>(points.cols());
  const std::size_t blocks = (points.rows() + kBlock - 1) / kBlock;
  // A few blocks at a time, whose products are as large as the sum; added up in their order.
  const std::size_t together = static_cast<std::size_t>(threads);
  std::vector<RowMatrix> products(together);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(d, d);
  for (std::size_t begin = 0; begin < blocks; begin += together) {
    const std::size_t count = std::min(together, blocks - begin);
    parallel_for(threads, count, 1, [&](std::size_t first, std::size_t last, int) {
      for (std::size_t b = first; b < last; ++b) {
        const std::size_t from = (begin + b) * kBlock;
        const RowMatrix rows =
            centred_rows(points, from, std::min(kBlock, points.rows() - from), mean);
        products[b].noalias() = rows.transpose() * rows;
      }
    });
    for (std::size_t b = 0; b < count; ++b) sum += products[b];
  }
  return sum;
}

}  // namespace

Matrix PrincipalAxes::project(MatrixView points, int threads) const {
  require(points.cols() == mean.size(), "PrincipalAxes: rows of ", points.cols(),
          " values, expected ", mean.size());
  Matrix result(points.rows(), axes.rows() > 0 ? axes.rows() : points.cols());
  parallel_for(resolve_threads(threads), points.rows(), kBlock,
               [&](std::size_t first, std::size_t last, int) {
                 const RowMatrix rows = centred_rows(points, first, last - first, mean);
                 Eigen::Map<RowMatrix> to(result.row(first).data(), rows.rows(),
                                          static_cast<Eigen::Index>(result.cols()));
                 if (axes.rows() > 0) {
                   to.noalias() = rows * as_eigen(axes.view()).transpose();
                 } else {
                   to = rows;
                 }
               });
  return result;
}

PrincipalAxes principal_axes(MatrixView points, std::size_t count, Rng rng, int threads) {
  require(count > 0, "principal_axes: no axes are asked for");
  require(points.rows() > 0, "principal_axes: no points");
  PrincipalAxes result{.mean = measure::to_vector(as_eigen(points).colwise().mean()), .axes = {}};
  if (points.cols() <= count) return result;
  const Eigen::MatrixXd sum = scatter(points, result.mean, resolve_threads(threads));
  Eigen::MatrixXd v(sum.rows(), static_cast<Eigen::Index>(std::min(count + kSpare, points.cols())));
  for (Eigen::Index i = 0; i < v.size(); ++i) v.data()[i] = rng.normal();
  for (int round = 0; round < kRounds; ++round) v = orthonormal_columns(sum * v);
  const SymmetricEigen eigen = symmetric_eigen(v.transpose() * sum * v);
  // Eigenvalues ascend: the last columns belong to the largest.
  const RowMatrix axes =
      (v * eigen.vectors.rightCols(static_cast<Eigen::Index>(count)).rowwise().reverse())
          .transpose();
  result.axes = measure::to_matrix(axes);
  return result;
}

}  // namespace nw::cluster
