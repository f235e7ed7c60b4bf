#include "oracle/random_problems.hpp"

#include <algorithm>
#include <cmath>

namespace nw::oracle {
namespace {

// Mostly small sizes, now and then the largest: u^3 puts half of them below an eighth.
std::size_t skewed_size(Rng& rng, std::size_t largest) {
  const double u = rng.uniform();
  return 1 + static_cast<std::size_t>(u * u * u * static_cast<double>(largest));
}

}  // namespace

Matrix some_points(Rng& rng, std::size_t n, std::size_t d, int kind) {
  Matrix points = normal_points(rng, n, d);
  switch (kind) {
    case 0:
      break;
    case 1:
      return lattice_points(rng, n, d, 2 + rng.below(4));
    case 2:  // copies of a few points
      for (std::size_t i = n / 4; i < n; ++i) {
        const auto from = points.row(static_cast<std::size_t>(rng.below(n / 4 + 1)) % n);
        std::copy(from.begin(), from.end(), points.row(i).begin());
      }
      break;
    case 3:  // clusters
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < d; ++k) {
          points(i, k) = 0.1 * points(i, k) + std::cos(static_cast<double>(i % 5 + k));
        }
      }
      break;
    default:  // Cauchy tails
      for (double& value : points.values()) value /= std::max(std::abs(rng.normal()), 1e-3);
  }
  return points;
}

std::vector<double> some_weights(Rng& rng, std::size_t n, int kind) {
  if (kind == 0) return {};
  auto weights = random_weights(rng, n);
  if (kind == 2) weights[static_cast<std::size_t>(rng.below(n))] = 1e6;
  if (kind == 3) {
    for (double& weight : weights) weight = std::ceil(weight * 4.0);  // ties between masses
  }
  return weights;
}

RandomProblem random_problem(std::uint64_t trial) {
  Rng rng = Rng(2024).split(trial);
  RandomProblem problem;
  const std::size_t n = skewed_size(rng, 400);
  const std::size_t m = rng.below(3) == 0 ? n : skewed_size(rng, 400);
  const std::size_t d = skewed_size(rng, 50);
  const int kind = static_cast<int>(rng.below(5));
  problem.cost = rng.below(2) == 0 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean;
  problem.is_matrix = rng.below(5) == 0;
  problem.clouds.a = some_weights(rng, n, static_cast<int>(rng.below(4)));
  problem.clouds.b = some_weights(rng, m, static_cast<int>(rng.below(4)));
  if (!problem.is_matrix) {
    problem.clouds.x = some_points(rng, n, d, kind);
    problem.clouds.y = some_points(rng, m, d, kind);
    return problem;
  }
  problem.matrix = Matrix(n, m);
  for (double& c : problem.matrix.values()) {
    // Negative costs, ties of integers, or wild scales.
    c = kind < 2 ? rng.normal() : std::round(4.0 * rng.normal());
    if (kind == 4) c = std::ldexp(rng.normal(), static_cast<int>(rng.below(30)));
  }
  return problem;
}

}  // namespace nw::oracle
