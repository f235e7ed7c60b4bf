// Slow and simple answers to compare the solvers with. They share no code with nw::ot.
#pragma once

#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::oracle {

/// The dense cost matrix of a point problem, in long double arithmetic.
[[nodiscard]] Matrix cost_matrix(const ot::PointProblem& problem);

/// Weights divided by their sum, in long double arithmetic; equal ones where none are given.
[[nodiscard]] std::vector<double> masses(std::span<const double> weights, std::size_t count);

/// Smallest mean cost over all n! assignments of a square matrix. For n <= 8.
[[nodiscard]] double best_assignment(MatrixView cost);

/// The optimum of a transport problem by successive shortest paths (Bellman-Ford on the residual
/// graph, so negative costs are fine). O((n m)^2) and worse: for small problems.
[[nodiscard]] double min_cost_flow(MatrixView cost, std::span<const double> source,
                                   std::span<const double> target);

}  // namespace nw::oracle
