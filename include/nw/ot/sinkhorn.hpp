// Entropic optimal transport by Sinkhorn's iteration in the log domain.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// What the Sinkhorn solver reports while it works.
struct SinkhornProgress {
  int iterations = 0;           ///< so far
  double epsilon = 0.0;         ///< of the current stage, relative as in SinkhornOptions
  double marginal_error = 0.0;  ///< of the current stage
};

/// Knobs of the Sinkhorn solver.
struct SinkhornOptions {
  /// Regularisation, relative to the cost scale: the mean squared distance between the two clouds
  /// for `squared_euclidean`, its square root for `euclidean`. In [1e-6, 1e3]. Smaller values
  /// come closer to the transport cost and need more iterations, roughly in proportion to
  /// 1 / epsilon.
  double epsilon = 0.01;
  /// Stop when the plan's marginals are off by at most this, summed over points. In (0, 1).
  double tolerance = 1e-5;
  /// Iterations of both potentials, over all stages of epsilon scaling; at least 1.
  int max_iterations = 5000;
  /// Each stage multiplies epsilon by this on the way from 1 to its final value. In (0, 1).
  double scaling = 0.5;
  /// Also compute the Sinkhorn divergence, which is zero for equal clouds.
  bool debiased = false;
  /// Threads; 0 means all cores. The answer is the same for every value.
  int threads = 0;
  /// Called after every iteration; return false to stop with `interrupted`.
  std::function<bool(const SinkhornProgress&)> observer = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Why the iteration stopped.
enum class SinkhornStop { converged, iteration_limit, interrupted };
[[nodiscard]] const char* to_string(SinkhornStop stop);

/// The entropic solution and what it proves about the transport cost. The bounds hold whether or
/// not the iteration converged; the other values mean something only if it did.
struct SinkhornResult {
  SinkhornStop stop = SinkhornStop::iteration_limit;
  double epsilon = 0.0;         ///< absolute, of the plan that is reported
  double transport_cost = 0.0;  ///< <C, T> of the entropic plan T, not including the entropy
  /// <C, T> + epsilon KL(T | a x b) at the optimum, from the dual.
  double entropic_objective = 0.0;
  /// Entropic objective minus half of those of each cloud with itself; only if `debiased` and all
  /// three converged.
  std::optional<double> divergence;
  double upper_bound = 0.0;     ///< cost of the plan rounded to the exact marginals
  double lower_bound = 0.0;     ///< dual objective of the potentials below
  double marginal_error = 0.0;  ///< sum over targets of |column sum - mass|; rows are exact
  int iterations = 0;
  std::vector<double> source_potential;  ///< f, with f_i + g_j <= C_ij up to rounding
  std::vector<double> target_potential;  ///< g

  [[nodiscard]] bool converged() const noexcept { return stop == SinkhornStop::converged; }
  /// The optimal transport cost lies within this of `upper_bound`.
  [[nodiscard]] double gap() const noexcept { return upper_bound - lower_bound; }
};

/// Solves min <C, T> + epsilon KL(T | a x b). Time O(n m d) an iteration, memory O((n + m) d).
[[nodiscard]] SinkhornResult solve_sinkhorn(const PointProblem& problem,
                                            const SinkhornOptions& options = {});

}  // namespace nw::ot
