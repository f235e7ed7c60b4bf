// Transport problems and their solutions, shared by all solvers of nw::ot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::ot {

/// What moving a unit of mass costs. W1 uses `euclidean`, W2 squared uses `squared_euclidean`.
enum class GroundCost { euclidean, squared_euclidean };

/// Points with masses. `weights` may be empty, which means equal masses that sum to one; otherwise
/// one finite, non-negative weight per row, not all zero. Both clouds of a problem are normalised
/// to total mass one, so weights of any scale may be given.
struct WeightedPoints {
  MatrixView points = {};                ///< [n, d]
  std::span<const double> weights = {};  ///< [n] or empty
};

/// min <C, T> over couplings T of two point clouds [NW:eq1]; C is never stored.
struct PointProblem {
  WeightedPoints source = {}, target = {};
  GroundCost cost = GroundCost::euclidean;

  /// Throws InvalidArgument for empty clouds, mismatched dimensions, NaN, infinities or bad
  /// weights.
  void validate() const;
};

/// The same for a general cost matrix [n, m] of finite values, negative ones included.
struct MatrixProblem {
  MatrixView cost = {};
  std::span<const double> source_weights = {};  ///< [n] or empty
  std::span<const double> target_weights = {};  ///< [m] or empty

  void validate() const;
};

/// One entry of a sparse coupling.
struct Flow {
  std::uint32_t source, target;
  double mass;
  bool operator==(const Flow&) const = default;
};

/// Why a solver stopped.
enum class Termination { optimal, gap_reached, pivot_limit, interrupted };

[[nodiscard]] const char* to_string(GroundCost cost);
[[nodiscard]] const char* to_string(Termination termination);

/// What was certain at one moment of a solve.
struct BoundsInTime {
  double seconds = 0.0;     ///< since the start
  std::int64_t pivots = 0;  ///< so far
  double cost = 0.0;        ///< of the current plan
  double dual_objective = 0.0;
};

/// What an exact solver found, and enough evidence to check it.
struct TransportResult {
  Termination termination = Termination::pivot_limit;
  double cost = 0.0;  ///< primal objective <C, T>: W1, or W2 squared
  double dual_objective =
      0.0;                 ///< a lower bound of the optimum; equals `cost` at it, up to rounding
  std::vector<Flow> plan;  ///< T, sorted by source then target; at most n + m - 1 entries
  std::vector<double> source_potential;  ///< f, with f_i + g_j <= C_ij up to rounding
  std::vector<double> target_potential;  ///< g
  std::int64_t pivots = 0;
  /// The bounds while the solver worked on the points themselves; the last are not repeated.
  std::vector<BoundsInTime> history = {};

  [[nodiscard]] bool optimal() const noexcept { return termination == Termination::optimal; }
  /// Primal minus dual: the optimum lies within this of `cost`.
  [[nodiscard]] double gap() const noexcept { return cost - dual_objective; }
};

}  // namespace nw::ot
