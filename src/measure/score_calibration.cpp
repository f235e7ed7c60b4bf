#include "measure/score_calibration.hpp"

#include <cmath>

#include <Eigen/Cholesky>

namespace nw::measure {
namespace {

// Pulls the biases together: without it they would be known up to a constant only.
constexpr double kRidge = 1e-4;

double loss_of(const RowMatrix& log_scores, std::span<const std::uint32_t> class_of,
               const Calibration& calibration) {
  double loss = 0.5 * kRidge * calibration.bias.squaredNorm();
  const double rows = static_cast<double>(log_scores.rows());
  for (Eigen::Index i = 0; i < log_scores.rows(); ++i) {
    const Eigen::VectorXd u =
        calibration.temperature * log_scores.row(i).transpose() + calibration.bias;
    const double top = u.maxCoeff();
    const auto own = static_cast<Eigen::Index>(class_of[static_cast<std::size_t>(i)]);
    loss += (top + std::log((u.array() - top).exp().sum()) - u(own)) / rows;
  }
  return loss;
}

}  // namespace

RowMatrix Calibration::apply(const RowMatrix& log_scores) const {
  RowMatrix q = (temperature * log_scores).rowwise() + bias.transpose();
  q = (q.colwise() - q.rowwise().maxCoeff().eval()).array().exp();
  const Eigen::VectorXd total = q.rowwise().sum();
  q.array().colwise() /= total.array();
  return q;
}

Calibration calibrate(const RowMatrix& log_scores, std::span<const std::uint32_t> class_of) {
  constexpr int kIterations = 50;
  const Eigen::Index k = log_scores.cols(), rows = log_scores.rows();
  Calibration best{.temperature = 1.0, .bias = Eigen::VectorXd::Zero(k)};
  double loss = loss_of(log_scores, class_of, best);
  for (int step = 0; step < kIterations; ++step) {
    // Parameters: the biases, then the temperature.
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(k + 1);
    RowMatrix hessian = RowMatrix::Zero(k + 1, k + 1);
    const RowMatrix q = best.apply(log_scores);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Eigen::VectorXd p = q.row(i).transpose(), u = log_scores.row(i).transpose();
      const double mean = p.dot(u);
      const auto own = static_cast<Eigen::Index>(class_of[static_cast<std::size_t>(i)]);
      gradient.head(k) += p;
      gradient(own) -= 1.0;
      gradient(k) += mean - u(own);
      hessian.topLeftCorner(k, k).diagonal() += p;
      hessian.topLeftCorner(k, k).noalias() -= p * p.transpose();
      const Eigen::VectorXd cross = p.cwiseProduct((u.array() - mean).matrix());
      hessian.topRightCorner(k, 1) += cross;
      hessian(k, k) += cross.dot(u);
    }
    gradient /= static_cast<double>(rows);
    hessian /= static_cast<double>(rows);
    hessian.bottomLeftCorner(1, k) = hessian.topRightCorner(k, 1).transpose();
    gradient.head(k) += kRidge * best.bias;
    hessian.diagonal().array() += kRidge;
    const Eigen::VectorXd move = hessian.ldlt().solve(gradient);
    double length = 1.0, decrease = 0.0;
    Calibration next = best;
    for (; length > 1e-4; length *= 0.5) {
      next.bias = best.bias - length * move.head(k);
      next.temperature = best.temperature - length * move(k);
      decrease = loss - loss_of(log_scores, class_of, next);
      if (next.temperature > 0.0 && decrease >= 0.0) break;
    }
    if (!(decrease > 1e-10) || !(next.temperature > 0.0)) break;
    best = next;
    loss -= decrease;
  }
  return best;
}

}  // namespace nw::measure
