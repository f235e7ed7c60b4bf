#include "experiments/paper_mixtures.hpp"

#include <cmath>
#include <numbers>

namespace nw::experiments {
namespace {

constexpr double kRingRadius = 4.0;
constexpr std::size_t kRingModes = 8;
constexpr double kGridSpacing = 2.0;
constexpr double kGridFactor = 0.15;

}  // namespace

measure::Mixture ring_of_eight(double deviation, double turn) {
  measure::Mixture ring;
  Matrix covariance(2, 2);
  covariance(0, 0) = covariance(1, 1) = deviation * deviation;
  for (std::size_t i = 1; i <= kRingModes; ++i) {
    const double angle = 2.0 * std::numbers::pi * (static_cast<double>(i) + turn) / kRingModes;
    const double centre[2] = {kRingRadius * std::cos(angle), kRingRadius * std::sin(angle)};
    ring.components.push_back(measure::gaussian_component(centre, covariance));
  }
  return ring;
}

std::vector<double> rising_proportions() {
  std::vector<double> pi;
  for (int i = 1; i <= 8; ++i) pi.push_back((i + 2) / 52.0);
  return pi;
}

std::vector<double> falling_proportions() {
  std::vector<double> pi;
  for (int i = 1; i <= 8; ++i) pi.push_back((11 - i) / 52.0);
  return pi;
}

measure::Mixture grid_of_nine(Rng& rng) {
  measure::Mixture grid;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      double factor[2][2];
      for (auto& line : factor) {
        for (double& value : line) value = kGridFactor * rng.normal();
      }
      Matrix covariance(2, 2);
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 0; b < 2; ++b) {
          covariance(a, b) = factor[a][0] * factor[b][0] + factor[a][1] * factor[b][1];
        }
      }
      const double centre[2] = {kGridSpacing * (column - 1), kGridSpacing * (row - 1)};
      grid.components.push_back(measure::gaussian_component(centre, covariance));
    }
  }
  return grid;
}

std::vector<double> grid_proportions() {
  std::vector<double> pi;
  for (int i = 1; i <= 9; ++i) pi.push_back(i / 45.0);
  return pi;
}

}  // namespace nw::experiments
