// The Wasserstein distance of two point clouds by the solver that suits them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "nw/base/option_field.hpp"
#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"
#include "nw/ot/sinkhorn.hpp"
#include "nw/ot/sliced.hpp"

namespace nw::ot {

/// How to compute a distance. `automatic` uses `exact` unless it would take too long.
enum class WassersteinMethod { automatic, exact, sinkhorn, sliced };

constexpr auto choices(WassersteinMethod) {
  return std::array{
      Choice{"auto", WassersteinMethod::automatic}, Choice{"exact", WassersteinMethod::exact},
      Choice{"sinkhorn", WassersteinMethod::sinkhorn}, Choice{"sliced", WassersteinMethod::sliced}};
}
[[nodiscard]] constexpr const char* to_string(WassersteinMethod method) {
  return choice_name(method);
}

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

  /// The one list of what users choose. Commands have a method more, so they ask for it themselves.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "p",
                      .help = "W1: mean distance moved; W2: root of the mean squared distance",
                      .low = 1,
                      .high = 2},
          p);
    visit(OptionField{.name = "method",
                      .help = "auto uses exact unless that would take too long",
                      .setting = ""},
          method);
    visit(
        OptionField{.name = "time_limit",
                    .help = "auto: longest predicted run, in seconds. If given, exact stops then, "
                            "too, with its best plan and bound",
                    .low = 0,
                    .open_low = true},
        time_limit);
    // The solvers' own options know their ranges.
    visit(
        OptionField{.name = "gap",
                    .help = "exact: stop when (plan - bound) / plan is proven to be at most this"},
        exact.gap);
    visit(OptionField{.name = "max_pivots", .help = "exact: largest number of pivots; 0: no limit"},
          exact.max_pivots);
    visit(OptionField{.name = "epsilon",
                      .help = "sinkhorn: regularisation relative to the mean cost"},
          sinkhorn.epsilon);
    visit(OptionField{.name = "tolerance", .help = "sinkhorn: marginal error accepted"},
          sinkhorn.tolerance);
    visit(OptionField{.name = "max_iterations", .help = "sinkhorn: largest number of iterations"},
          sinkhorn.max_iterations);
    visit(OptionField{.name = "debiased", .help = "sinkhorn: subtract the entropic bias"},
          sinkhorn.debiased);
    visit(OptionField{.name = "directions", .help = "sliced: random directions"},
          sliced.directions);
    visit(kSeedField, seed);
    visit(kThreadsField, threads);
  }
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
