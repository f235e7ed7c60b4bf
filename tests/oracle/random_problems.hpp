// Random transport problems of every kind that the exact solver must solve.
#pragma once

#include <cstdint>

#include "oracle/random_clouds.hpp"

namespace nw::oracle {

/// Normal, lattice, duplicated, clustered or heavy-tailed points, for kind 0 to 4.
[[nodiscard]] Matrix some_points(Rng& rng, std::size_t n, std::size_t d, int kind);

/// No weights, random ones with zeros, one heavy one, or few distinct values, for kind 0 to 3.
[[nodiscard]] std::vector<double> some_weights(Rng& rng, std::size_t n, int kind);

/// A problem between points or, for one in five, for a cost matrix. Sizes 1 to 400, mostly small;
/// dimensions 1 to 50.
struct RandomProblem {
  Clouds clouds;  ///< the points of a point problem, the weights of both
  Matrix matrix;  ///< the costs of a matrix problem
  ot::GroundCost cost = ot::GroundCost::euclidean;
  bool is_matrix = false;

  [[nodiscard]] ot::PointProblem points() const { return clouds.problem(cost); }
  [[nodiscard]] ot::MatrixProblem matrices() const { return {matrix, clouds.a, clouds.b}; }
};

/// The problem number `trial`, the same on every machine.
[[nodiscard]] RandomProblem random_problem(std::uint64_t trial);

}  // namespace nw::oracle
