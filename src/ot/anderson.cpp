#include "ot/anderson.hpp"

#include <cmath>
#include <optional>

namespace nw::ot {
namespace {

double weighted_dot(const std::vector<double>& weights, const std::vector<double>& a,
                    const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * a[i] * b[i];
  return sum;
}

// Solves the positive definite system A x = b of k unknowns by Cholesky's method, in place;
// nothing when A is singular to working precision.
std::optional<std::vector<double>> solve(std::vector<double> a, std::vector<double> b) {
  const std::size_t k = b.size();
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * k + j];
      for (std::size_t l = 0; l < j; ++l) sum -= a[i * k + l] * a[j * k + l];
      if (i != j) {
        a[i * k + j] = sum / a[j * k + j];
      } else {
        if (!(sum > 1e-14 * a[i * k + i])) return std::nullopt;
        a[i * k + i] = std::sqrt(sum);
      }
    }
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t l = 0; l < i; ++l) b[i] -= a[i * k + l] * b[l];
    b[i] /= a[i * k + i];
  }
  for (std::size_t i = k; i-- > 0;) {
    for (std::size_t l = i + 1; l < k; ++l) b[i] -= a[l * k + i] * b[l];
    b[i] /= a[i * k + i];
  }
  return b;
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
  std::vector<double> gram(k * k), right(k), mixed = image;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      gram[i * k + j] = weighted_dot(weights_, residual_steps_[i], residual_steps_[j]);
    }
    right[i] = weighted_dot(weights_, residual_steps_[i], residual);
  }
  const auto coefficients = solve(std::move(gram), std::move(right));
  if (!coefficients) {
    restart();
    return image;
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t c = 0; c < mixed.size(); ++c)
      mixed[c] -= (*coefficients)[i] * image_steps_[i][c];
  }
  return mixed;
}

}  // namespace nw::ot
