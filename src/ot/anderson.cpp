#include "ot/anderson.hpp"

#include <optional>

#include <Eigen/Cholesky>

namespace nw::ot {
namespace {

double weighted_dot(const std::vector<double>& weights, const std::vector<double>& a,
                    const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * a[i] * b[i];
  return sum;
}

/// Solves the positive definite system A x = b, of which the lower half of A is given; nothing when
/// A is singular to working precision: then a pivot is next to nothing beside its own diagonal.
std::optional<Eigen::VectorXd> solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  constexpr double kSingular = 1e-14;
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(a);
  const auto pivots = factor.matrixLLT().diagonal().array().square();
  const bool regular =
      factor.info() == Eigen::Success && (pivots > kSingular * a.diagonal().array()).all();
  if (!regular) return std::nullopt;
  return factor.solve(b);
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

}  // namespace

std::vector<double> AndersonMixing::next(const std::vector<double>& point,
                                         const std::vector<double>& image) {
  auto residual = difference(image, point);
  if (!last_image_.empty()) {
    residual_steps_.push_back(difference(residual, last_residual_));
    image_steps_.push_back(difference(image, last_image_));
    if (residual_steps_.size() > depth_) residual_steps_.pop_front(), image_steps_.pop_front();
  }
  last_residual_ = residual;
  last_image_ = image;

  const std::size_t k = residual_steps_.size();
  if (k == 0) return image;
  const auto size = static_cast<Eigen::Index>(k);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd right(size);
  for (std::size_t i = 0; i < k; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j <= i; ++j) {
      gram(row, static_cast<Eigen::Index>(j)) =
          weighted_dot(weights_, residual_steps_[i], residual_steps_[j]);
    }
    right(row) = weighted_dot(weights_, residual_steps_[i], residual);
  }
  const auto coefficients = solve(gram, right);
  if (!coefficients) {
    restart();
    return image;
  }
  std::vector<double> mixed = image;
  for (std::size_t i = 0; i < k; ++i) {
    const double coefficient = (*coefficients)(static_cast<Eigen::Index>(i));
    for (std::size_t c = 0; c < mixed.size(); ++c) mixed[c] -= coefficient * image_steps_[i][c];
  }
  return mixed;
}

}  // namespace nw::ot
