// He, "Imbalanced data clustering using equilibrium K-means", arXiv 2402.14490. The least distance
// of k-means becomes the Boltzmann mean of all of them: with d_k = |x - c_k|^2 and memberships
// q_k proportional to exp(-alpha d_k), the objective is the mean of b(x) = sum_k q_k d_k. Its
// gradient in c_k vanishes where c_k is the mean of the points under the weights
//   w_k = q_k (1 - alpha (d_k - b)),
// which are negative for points that belong to others: those push the centre away.
#include "nw/cluster/equilibrium_kmeans.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"

#include "cluster/best_start.hpp"
#include "cluster/checked_weights.hpp"
#include "cluster/largest_first.hpp"
#include "measure/dense.hpp"
#include "measure/seeding.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

/// Memberships and distances of all points for some centres.
struct Pass {
  RowMatrix distance, membership;  // [n, k]
  Eigen::VectorXd least;           // b(x): [n]
};

Pass look(const measure::ConstMatrixMap& points, const Eigen::VectorXd& norm,
          const RowMatrix& centres, double alpha) {
  Pass pass;
  pass.distance = -2.0 * points * centres.transpose();
  pass.distance.colwise() += norm;
  pass.distance.rowwise() += centres.rowwise().squaredNorm().transpose();
  pass.distance = pass.distance.cwiseMax(0.0);
  const Eigen::VectorXd nearest = pass.distance.rowwise().minCoeff();
  pass.membership = (-alpha * (pass.distance.colwise() - nearest)).array().exp();
  const Eigen::VectorXd total = pass.membership.rowwise().sum();
  pass.membership = pass.membership.array().colwise() / total.array();
  pass.least = pass.membership.cwiseProduct(pass.distance).rowwise().sum();
  return pass;
}

struct Start {
  RowMatrix centres;
  Pass pass;
  double objective = 0.0;
  int iterations = 0;
  bool converged = false;
};

Start settle(const measure::ConstMatrixMap& points, const Eigen::VectorXd& weights,
             RowMatrix centres, double alpha, double least_move,
             const EquilibriumKMeansOptions& options) {
  const Eigen::VectorXd norm = points.rowwise().squaredNorm();
  Start start;
  start.pass = look(points, norm, centres, alpha);
  for (; start.iterations < options.max_iterations && !start.converged; ++start.iterations) {
    const Pass& pass = start.pass;
    RowMatrix pull =
        (1.0 - alpha * (pass.distance.colwise() - pass.least).array()) * pass.membership.array();
    pull = weights.asDiagonal() * pull;
    RowMatrix next = pull.transpose() * points;
    for (Eigen::Index j = 0; j < next.rows(); ++j) {
      const double mass = pull.col(j).sum();
      // Nothing holds it: it stays.
      if (mass > 1e-9 * weights.sum()) {
        next.row(j) /= mass;
      } else {
        next.row(j) = centres.row(j);
      }
    }
    start.converged = (next - centres).squaredNorm() <= least_move;
    centres = std::move(next);
    start.pass = look(points, norm, centres, alpha);
  }
  start.objective = weights.dot(start.pass.least) / weights.sum();
  start.centres = std::move(centres);
  return start;
}

EquilibriumKMeansResult describe(const Start& best, const Eigen::VectorXd& weights) {
  EquilibriumKMeansResult result{.centres = {},
                                 .assignment = {},
                                 .confidence = {},
                                 .share = {},
                                 .alpha = 0.0,
                                 .objective = best.objective,
                                 .iterations = best.iterations,
                                 .converged = best.converged};
  std::vector<double> mass(static_cast<std::size_t>(best.centres.rows()), 0.0);
  for (Eigen::Index i = 0; i < best.pass.distance.rows(); ++i) {
    Eigen::Index j = 0;
    best.pass.distance.row(i).minCoeff(&j);
    result.assignment.push_back(static_cast<std::uint32_t>(j));
    result.confidence.push_back(best.pass.membership(i, j));
    mass[static_cast<std::size_t>(j)] += weights[i] / weights.sum();
  }
  auto ordered = largest_first(mass, 1.0, best.centres, result.assignment);
  result.centres = std::move(ordered.centres);
  result.share = std::move(ordered.share);
  return result;
}

}  // namespace

void EquilibriumKMeansOptions::validate() const {
  require(components > 0, "EquilibriumKMeansOptions.components must be positive, got ", components);
  require(alpha >= 0.0, "EquilibriumKMeansOptions.alpha must not be negative, got ", alpha);
  require(restarts > 0, "EquilibriumKMeansOptions.restarts must be positive, got ", restarts);
  require(max_iterations > 0, "EquilibriumKMeansOptions.max_iterations must be positive, got ",
          max_iterations);
  require(tolerance >= 0.0, "EquilibriumKMeansOptions.tolerance must not be negative, got ",
          tolerance);
}

EquilibriumKMeansResult equilibrium_kmeans(const ot::WeightedPoints& data,
                                           const EquilibriumKMeansOptions& options,
                                           const Rng& rng) {
  options.validate();
  const Eigen::VectorXd weights = checked_weights(data, options.components, "equilibrium_kmeans");
  const auto points = as_eigen(data.points);
  const Eigen::RowVectorXd middle = weights.transpose() * points / weights.sum();
  const double spread =
      weights.dot((points.rowwise() - middle).rowwise().squaredNorm()) / weights.sum();
  const double alpha = options.alpha > 0.0 ? options.alpha : (spread > 0.0 ? 2.0 / spread : 1.0);
  const double least_move = options.tolerance * spread / static_cast<double>(points.cols());
  const auto best = best_start(
      options.restarts, options.observer, rng,
      [&](Rng stream) {
        return settle(points, weights, measure::spread_centres(data, options.components, stream),
                      alpha, least_move, options);
      },
      &Start::objective);
  auto result = describe(best.start, weights);
  result.alpha = alpha;
  result.interrupted = best.interrupted;
  return result;
}

}  // namespace nw::cluster
