#include "nw/gan/mode_errors.hpp"

#include <limits>

#include "nw/base/error.hpp"

namespace nw::gan {
namespace {

constexpr double kPresentShare = 0.25;

/// Count, mean and covariance of the points nearest to each centre.
struct ModeMoments {
  std::vector<double> share;  // [k]
  Matrix mean;                // [k, d]
  Matrix covariance;          // [k, d * d]
};

std::size_t nearest(MatrixView centres, std::span<const double> point) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < centres.rows(); ++j) {
    double square = 0.0;
    for (std::size_t c = 0; c < point.size(); ++c) {
      const double delta = point[c] - centres(j, c);
      square += delta * delta;
    }
    if (square < least) {
      least = square;
      best = j;
    }
  }
  return best;
}

ModeMoments moments(MatrixView centres, MatrixView points) {
  const std::size_t k = centres.rows(), d = centres.cols();
  ModeMoments result{
      .share = std::vector<double>(k, 0.0), .mean = Matrix(k, d), .covariance = Matrix(k, d * d)};
  // Sums around the true centre, which is near: no digits are lost in the squares.
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const std::size_t j = nearest(centres, points.row(i));
    result.share[j] += 1.0;
    for (std::size_t a = 0; a < d; ++a) {
      const double da = points(i, a) - centres(j, a);
      result.mean(j, a) += da;
      for (std::size_t b = 0; b < d; ++b) {
        result.covariance(j, a * d + b) += da * (points(i, b) - centres(j, b));
      }
    }
  }
  for (std::size_t j = 0; j < k; ++j) {
    const double count = result.share[j];
    result.share[j] /= static_cast<double>(points.rows());
    if (count == 0.0) continue;
    for (std::size_t a = 0; a < d; ++a) result.mean(j, a) /= count;
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) {
        auto& entry = result.covariance(j, a * d + b);
        entry = entry / count - result.mean(j, a) * result.mean(j, b);
      }
    }
  }
  return result;
}

double mean_square(std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum / static_cast<double>(x.size());
}

}  // namespace

ModeErrors mode_errors(MatrixView centres, MatrixView real, MatrixView generated) {
  require(!centres.empty() && real.cols() == centres.cols() && generated.cols() == centres.cols(),
          "mode_errors: centres have ", centres.cols(), " columns, real points ", real.cols(),
          ", generated points ", generated.cols());
  require(!real.empty() && !generated.empty(), "mode_errors: no points");
  const ModeMoments truth = moments(centres, real), made = moments(centres, generated);
  ModeErrors errors{.real_share = truth.share, .generated_share = made.share};
  double square = 0.0, norm = 0.0;
  for (std::size_t j = 0; j < centres.rows(); ++j) {
    const double delta = truth.share[j] - made.share[j];
    square += delta * delta;
    norm += truth.share[j] * truth.share[j];
    if (made.share[j] == 0.0 || made.share[j] < kPresentShare * truth.share[j]) continue;
    ++errors.modes;
    errors.mean_error += mean_square(truth.mean.row(j), made.mean.row(j));
    errors.covariance_error += mean_square(truth.covariance.row(j), made.covariance.row(j));
  }
  if (errors.modes > 0) {
    errors.mean_error /= errors.modes;
    errors.covariance_error /= errors.modes;
  }
  errors.proportion_error = square / norm;
  return errors;
}

}  // namespace nw::gan
