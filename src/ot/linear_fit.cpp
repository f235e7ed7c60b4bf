#include "ot/linear_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace nw::ot {

void fit_slope(std::span<const double> offsets, std::span<const double> values, std::size_t dim,
               double* slope) {
  constexpr std::size_t kMost = kMaxFitDimensions;
  const auto count = static_cast<double>(values.size());
  std::array<double, kMost> mean{}, right{};
  std::array<std::array<double, kMost>, kMost> matrix{};
  double mean_value = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    mean_value += values[j] / count;
    for (std::size_t k = 0; k < dim; ++k) mean[k] += offsets[j * dim + k] / count;
  }
  double trace = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    for (std::size_t k = 0; k < dim; ++k) {
      const double x = offsets[j * dim + k] - mean[k];
      right[k] += x * (values[j] - mean_value);
      for (std::size_t l = 0; l <= k; ++l) matrix[k][l] += x * (offsets[j * dim + l] - mean[l]);
    }
  }
  for (std::size_t k = 0; k < dim; ++k) trace += matrix[k][k];
  std::fill_n(slope, dim, 0.0);
  if (trace <= 0.0) return;
  // Cholesky; a little on the diagonal makes do with points on a line.
  for (std::size_t k = 0; k < dim; ++k) {
    matrix[k][k] += 1e-9 * trace;
    for (std::size_t l = 0; l <= k; ++l) {
      double sum = matrix[k][l];
      for (std::size_t h = 0; h < l; ++h) sum -= matrix[k][h] * matrix[l][h];
      matrix[k][l] = l == k ? std::sqrt(std::max(sum, 1e-12 * trace)) : sum / matrix[l][l];
    }
  }
  for (std::size_t k = 0; k < dim; ++k) {
    for (std::size_t h = 0; h < k; ++h) right[k] -= matrix[k][h] * right[h];
    right[k] /= matrix[k][k];
  }
  double square = 0.0;
  for (std::size_t k = dim; k-- > 0;) {
    for (std::size_t h = k + 1; h < dim; ++h) right[k] -= matrix[h][k] * right[h];
    right[k] /= matrix[k][k];
    square += right[k] * right[k];
  }
  if (!std::isfinite(square)) return;
  const double factor = square > 1.0 ? 1.0 / std::sqrt(square) : 1.0;
  for (std::size_t k = 0; k < dim; ++k) slope[k] = factor * right[k];
}

}  // namespace nw::ot
