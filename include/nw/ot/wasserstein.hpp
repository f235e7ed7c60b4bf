// The Wasserstein distance of two point clouds by whatever solver suits them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"
#include "nw/ot/sinkhorn.hpp"
#include "nw/ot/sliced.hpp"

namespace nw::ot {

/// How to compute a distance. `automatic` takes `exact` wherever it is within reach.
enum class WassersteinMethod { automatic, exact, sinkhorn, sliced };

/// "auto", "exact", "sinkhorn" or "sliced".
[[nodiscard]] const char* to_string(WassersteinMethod method);
/// The inverse of to_string. Throws InvalidArgument naming the choices.
[[nodiscard]] WassersteinMethod wasserstein_method_from_string(const std::string& name);

/// Knobs of wasserstein().
struct WassersteinOptions {
  /// Order of the distance, 1 or 2: distances or squared distances are what transport costs.
  int p = 1;
  WassersteinMethod method = WassersteinMethod::automatic;
  /// `automatic` leaves a solver out when it is predicted to take longer than this. Positive.
  double time_limit = 600.0;
  /// Threads for every solver, unless 0: then each one's own option counts.
  int threads = 0;
  /// Of the sliced distance's directions; the other solvers are not random.
  std::uint64_t seed = 0;
  ExactOptions exact = {};
  SinkhornOptions sinkhorn = {};
  SlicedOptions sliced = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// A distance, how it was found, and what is certain about it.
struct WassersteinResult {
  /// W_p by `exact`. By `sinkhorn`: of the rounded plan, or of the divergence if debiased. By
  /// `sliced`: the sliced distance, which is a different and smaller number than W_p.
  double distance = 0.0;
  WassersteinMethod method = WassersteinMethod::exact;  ///< what was used, never `automatic`
  std::string reason;                                   ///< why, in words
  /// W_p^p lies in [dual, primal], up to rounding, whatever the method.
  double primal = 0.0, dual = 0.0;
  /// `exact`: solved to optimality, or to the gap asked for. `sinkhorn`: reached its tolerance.
  /// `sliced`: always.
  bool converged = false;
  /// Equals W_p up to rounding; false for the approximate methods.
  bool exact = false;
  std::optional<double> marginal_error;  ///< of Sinkhorn's plan before rounding
  std::optional<double> standard_error;  ///< of the sliced distance
  TransportResult transport;  ///< plan and potentials by `exact`; potentials by `sinkhorn`
  double seconds = 0.0;

  /// Primal minus dual, in units of W_p^p.
  [[nodiscard]] double gap() const noexcept { return primal - dual; }
};

/// W_p between two clouds of weighted points. Throws InvalidArgument for bad points or options.
[[nodiscard]] WassersteinResult wasserstein(const WeightedPoints& x, const WeightedPoints& y,
                                            const WassersteinOptions& options = {});

/// Seconds that a solver is expected to need on two threads. Measured on clustered clouds; good to
/// a factor of a few, which is enough to tell seconds from hours.
[[nodiscard]] double predicted_seconds(WassersteinMethod method, const PointProblem& problem,
                                       const WassersteinOptions& options = {});

}  // namespace nw::ot
