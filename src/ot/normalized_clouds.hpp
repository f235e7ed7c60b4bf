// Two clouds brought to the form the exact solver works in, and the way back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/ot/problem.hpp"

#include "ot/point_cloud.hpp"

namespace nw::ot {

/// The points of one side, centred and scaled: those with mass in spatial order, and the others.
struct NormalizedSide {
  PointCloud cloud;                 ///< points with mass
  std::vector<std::uint32_t> rows;  ///< their rows in the user's matrix
  std::vector<double> separable;    ///< their separable costs: see NormalizedClouds
  PointCloud massless;              ///< take no part, but get potentials like the others
  std::vector<std::uint32_t> massless_rows;
  std::vector<double> massless_separable;
};

/// Coordinates are multiplied by 2^-exponent, so that squares neither overflow nor vanish and
/// single precision holds them. For the Euclidean cost both clouds move by the same vector; for the
/// squared one each is centred on its own mean, since
///   |x - y|^2 = |x' - y'|^2 + 2 (x' - y').delta + |delta|^2,   delta = mean(x) - mean(y),
/// and all but the first term are separable: they shift potentials and leave the plan alone.
struct NormalizedClouds {
  NormalizedSide source, target;
  std::int64_t total_mass = 0;
  int cost_exponent = 0;      ///< costs in the user's units are 2^cost_exponent times ours
  double radius = 0.0;        ///< root mean square norm of the points with mass, both clouds
  double typical_norm = 0.0;  ///< mean norm: outliers count less
  /// Sum over both clouds of mass times separable cost, as a share of total_mass.
  double separable_cost = 0.0;
};

/// Throws InvalidArgument when costs in the user's units would exceed the range of double.
[[nodiscard]] NormalizedClouds normalize(const PointProblem& problem);

}  // namespace nw::ot
