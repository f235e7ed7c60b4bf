// How good a given plan is: its cost, its marginals and its distance from the optimum.
#pragma once

#include <cstdint>
#include <span>

#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"

namespace nw::ot {

/// What is certain about a plan.
struct PlanCertificate {
  double mass = 0.0;      ///< of the plan as given; all below is for the plan divided by it
  double cost = 0.0;      ///< <C, T>
  double negative = 0.0;  ///< sum of the masses below zero, as a positive number
  /// Sum over the points, and largest, of |mass sent or received - mass of the point|.
  double source_error = 0.0, target_error = 0.0, largest_error = 0.0;
  /// No plan with the right marginals costs less; by the potentials of the exact solver.
  double lower_bound = 0.0;
  /// What our own plan costs: the optimum lies in [lower_bound, upper_bound].
  double upper_bound = 0.0;
  Termination termination = Termination::interrupted;  ///< of the solve behind the bounds
  std::int64_t pivots = 0;

  /// Whether the marginals are right to about single precision; if not, the cost of the plan may
  /// lie below the optimum.
  [[nodiscard]] bool feasible() const noexcept {
    return source_error <= 1e-6 && target_error <= 1e-6 && negative <= 1e-6;
  }
  /// (cost - optimum) / optimum, as far as it is proven: at most this. Infinite when no positive
  /// lower bound is known and the cost is not zero.
  [[nodiscard]] double gap() const noexcept;
};

/// Solves the problem and compares `plan` with the solution. Entries between the same two points
/// add up. Throws InvalidArgument for an entry outside the problem or not finite, and for a plan
/// without mass.
[[nodiscard]] PlanCertificate certify(const PointProblem& problem, std::span<const Flow> plan,
                                      const ExactOptions& options = {});

}  // namespace nw::ot
