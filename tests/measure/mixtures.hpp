// The mixtures that tests and simulations draw from: the paper's rings and grid.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"

namespace nw::testing {

constexpr double kRingRadius = 4.0;

/// Proportions of the paper's two data sets: (i + 2) / 52, and (11 - i) / 52 for the second.
inline std::vector<double> ring_proportions(bool second) {
  std::vector<double> pi;
  for (int i = 1; i <= 8; ++i) pi.push_back((second ? 11.0 - i : i + 2.0) / 52.0);
  return pi;
}

/// Centre of mode i in 1..8, `turn` steps further round the ring (0.5 in setting 2).
inline std::array<double, 2> ring_centre(int i, double turn = 0.0) {
  const double angle = 2.0 * std::numbers::pi * (i + turn) / 8.0;
  return {kRingRadius * std::cos(angle), kRingRadius * std::sin(angle)};
}

struct RingOptions {
  std::size_t rows = 500;
  std::size_t dim = 2;  ///< the ring lies in the first two coordinates; the others are noise
  double deviation = 0.3;
  double turn = 0.0;
  std::vector<double> pi = ring_proportions(false);
};

inline Matrix draw_ring(const RingOptions& options, Rng& rng) {
  Matrix points(options.rows, options.dim);
  for (std::size_t i = 0; i < options.rows; ++i) {
    const auto centre =
        ring_centre(static_cast<int>(rng.categorical(options.pi)) + 1, options.turn);
    for (std::size_t c = 0; c < options.dim; ++c) {
      points(i, c) = options.deviation * rng.normal() + (c < 2 ? centre[c] : 0.0);
    }
  }
  return points;
}

/// The 3 x 3 grid with spacing 2, pi_i = i / 45, and factors of 0.15 times standard normals.
inline Matrix draw_grid(std::size_t rows, Rng& rng) {
  std::vector<double> pi;
  std::vector<std::array<double, 4>> factor;
  for (int i = 1; i <= 9; ++i) {
    pi.push_back(i / 45.0);
    factor.push_back(
        {0.15 * rng.normal(), 0.15 * rng.normal(), 0.15 * rng.normal(), 0.15 * rng.normal()});
  }
  Matrix points(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t j = rng.categorical(pi);
    const double a = rng.normal(), b = rng.normal();
    points(i, 0) = 2.0 * static_cast<double>(j % 3) - 2.0 + factor[j][0] * a + factor[j][1] * b;
    points(i, 1) = 2.0 * static_cast<double>(j / 3) - 2.0 + factor[j][2] * a + factor[j][3] * b;
  }
  return points;
}

inline Matrix draw_gaussian(std::size_t rows, std::size_t dim, Rng& rng) {
  Matrix points(rows, dim);
  for (auto& value : points.values()) value = rng.normal();
  return points;
}

}  // namespace nw::testing
