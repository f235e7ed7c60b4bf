// The mixtures of Gaussians of the paper's experiments.
#pragma once

#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::experiments {

/// Eight spherical Gaussians of deviation `deviation` on a circle of radius 4, mode i at the angle
/// 2 pi i / 8, turned on by `turn` steps (setting 2 uses half a step).
[[nodiscard]] measure::Mixture ring_of_eight(double deviation, double turn = 0.0);

/// pi_i = (i + 2) / 52 for i = 1 ... 8, and (11 - i) / 52.
[[nodiscard]] std::vector<double> rising_proportions();
[[nodiscard]] std::vector<double> falling_proportions();

/// Nine Gaussians on a 3 x 3 grid of spacing 2, with random factors 0.15 N(0, 1).
[[nodiscard]] measure::Mixture grid_of_nine(Rng& rng);
/// pi_i = i / 45 for i = 1 ... 9.
[[nodiscard]] std::vector<double> grid_proportions();

}  // namespace nw::experiments
