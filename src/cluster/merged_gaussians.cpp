#include "cluster/merged_gaussians.hpp"

#include <algorithm>
#include <utility>

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

using Square = Eigen::Ref<const RowMatrix, 0, Eigen::OuterStride<>>;

/// The two of which the largest share of one is taken for the other. `taken(i, j)` is the mass of i
/// in rows where j is the likeliest.
std::pair<Eigen::Index, Eigen::Index> most_mistaken(const Square& taken) {
  const Eigen::VectorXd mass = taken.rowwise().sum().cwiseMax(1e-300);
  std::pair<Eigen::Index, Eigen::Index> found{0, 1};
  double most = -1.0;
  for (Eigen::Index j = 1; j < taken.rows(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      const double mistaken = std::max(taken(i, j) / mass(i), taken(j, i) / mass(j));
      if (mistaken > most) {
        most = mistaken;
        found = {i, j};
      }
    }
  }
  return found;
}

/// Makes `second` a part of `first` and gives its place to the last of `count`. What is taken for
/// what changes only in rows where the two together become the likeliest.
void join(Eigen::Index first, Eigen::Index second, std::size_t count, RowMatrix& membership,
          RowMatrix& taken, std::vector<std::uint32_t>& best) {
  const auto last = static_cast<Eigen::Index>(count) - 1;
  taken.row(first) += taken.row(second);
  taken.col(first) += taken.col(second);
  taken.row(second) = taken.row(last).eval();
  taken.col(second) = taken.col(last).eval();
  const auto one = static_cast<std::uint32_t>(first), other = static_cast<std::uint32_t>(second);
  for (Eigen::Index i = 0; i < membership.rows(); ++i) {
    auto row = membership.row(i);
    auto& likely = best[static_cast<std::size_t>(i)];
    const double added = row(second);
    row(first) += added;
    row(second) = row(last);
    if (likely == other) {
      likely = one;
    } else if (likely == static_cast<std::uint32_t>(last)) {
      likely = other;
    }
    const auto now = static_cast<Eigen::Index>(likely);
    if (now == first || added == 0.0) continue;
    if (row(first) > row(now) || (row(first) == row(now) && first < now)) {
      const auto shares = row.head(last).transpose();
      taken.col(now).head(last) -= shares;
      taken.col(first).head(last) += shares;
      likely = one;
    }
  }
}

}  // namespace

std::vector<std::uint32_t> merge_gaussians(MatrixView rows, const GaussianMixtureResult& fine,
                                           double ridge, std::size_t k) {
  const std::vector<double> weights(rows.rows(), 1.0);
  RowMatrix membership =
      measure::posterior(measure::ComponentDensity(fine.mixture, ridge).log_density(rows), fine.pi,
                         weights)
          .probability;
  auto best = likeliest(membership);
  auto count = static_cast<std::size_t>(membership.cols());
  RowMatrix taken = RowMatrix::Zero(membership.cols(), membership.cols());
  for (Eigen::Index i = 0; i < membership.rows(); ++i) {
    taken.col(best[static_cast<std::size_t>(i)]) += membership.row(i).transpose();
  }
  for (; count > k; --count) {
    const auto [first, second] = most_mistaken(taken.topLeftCorner(count, count));
    join(first, second, count, membership, taken, best);
  }
  return best;
}

}  // namespace nw::cluster
