#include "cluster/merged_gaussians.hpp"

#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

using measure::RowMatrix;

std::vector<std::uint32_t> likeliest(const RowMatrix& membership) {
  std::vector<std::uint32_t> best(static_cast<std::size_t>(membership.rows()));
  for (Eigen::Index i = 0; i < membership.rows(); ++i) {
    Eigen::Index j = 0;
    membership.row(i).maxCoeff(&j);
    best[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(j);
  }
  return best;
}

}  // namespace

std::vector<std::uint32_t> merge_gaussians(MatrixView rows, const GaussianMixtureResult& fine,
                                           double ridge, std::size_t k) {
  const std::vector<double> weights(rows.rows(), 1.0);
  RowMatrix membership =
      measure::posterior(measure::ComponentDensity(fine.mixture, ridge).log_density(rows), fine.pi,
                         weights)
          .probability;
  while (membership.cols() > static_cast<Eigen::Index>(k)) {
    const Eigen::Index count = membership.cols();
    const auto best = likeliest(membership);
    RowMatrix taken = RowMatrix::Zero(count, count);  // mass of i where j is the likeliest
    for (Eigen::Index i = 0; i < membership.rows(); ++i) {
      taken.col(best[static_cast<std::size_t>(i)]) += membership.row(i).transpose();
    }
    const Eigen::VectorXd mass = taken.rowwise().sum().cwiseMax(1e-300);
    Eigen::Index first = 0, second = 1;
    double most = -1.0;
    for (Eigen::Index j = 1; j < count; ++j) {
      for (Eigen::Index i = 0; i < j; ++i) {
        const double mistaken = std::max(taken(i, j) / mass(i), taken(j, i) / mass(j));
        if (mistaken > most) {
          most = mistaken;
          first = i;
          second = j;
        }
      }
    }
    membership.col(first) += membership.col(second);
    membership.col(second) = membership.col(count - 1).eval();
    membership.conservativeResize(Eigen::NoChange, count - 1);
  }
  return likeliest(membership);
}

}  // namespace nw::cluster
