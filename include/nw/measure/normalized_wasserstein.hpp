// The Normalized Wasserstein measure, primal:
//   W_N(P_X, P_Y) = min over G, pi1, pi2 of  W(P_X, P_{G,pi1}) + W(P_Y, P_{G,pi2})   [NW:def]
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/base/option_field.hpp"
#include "nw/base/progress.hpp"
#include "nw/base/rng.hpp"
#include "nw/base/team.hpp"
#include "nw/measure/mixture.hpp"
#include "nw/ot/problem.hpp"

namespace nw::measure {

struct NwOptions {
  /// Number of components k of the shared mixture. At least 1.
  std::size_t components = 2;
  /// Family of the components.
  Shape shape = Shape::full;
  /// Order of the Wasserstein distance. 1 (the paper): the value is W1 + W1. 2: the value that is
  /// minimised and reported is W2^2 + W2^2; `NwSide::distance` then holds W2 itself.
  int order = 1;
  /// Components to use as they are instead of fitting any: only the proportions are optimised.
  /// Overrides `components` and `shape`.
  const Mixture* given = nullptr;
  /// Starts by k-means++ and EM; the most promising are carried on. At least 1.
  int restarts = 6;
  /// Rounds of coupling -> components. At least 0.
  int max_rounds = 20;
  /// Stop when a round gains less than this fraction of the value. In (0, 1).
  double tolerance = 2e-3;
  /// Certified gap of the final proportions, relative to W. In [0, 1).
  double proportion_gap = 5e-3;
  /// Atoms per affine component; 0 lets the sample size choose.
  std::size_t atoms_per_component = 0;
  /// Larger samples are represented by random subsamples of this many rows in the transport
  /// problems (proportions still use every row). At least 50.
  std::size_t max_points = 2000;
  /// When d exceeds this, work in the space of the leading principal components of the pooled
  /// sample: the fewest that keep `keep_variance`, at most this many. At least 1.
  std::size_t max_dim = 24;
  /// Share of the variance kept by the reduction. In (0, 1].
  double keep_variance = 0.99;
  /// Resampled nulls behind the noise floor; 0 leaves the floor out. At least 0.
  int floor_replicates = 3;
  /// Threads; 0 means all cores. The answer is the same for every value.
  int threads = 0;
  /// Processes that share the resampling; all of them get the same answer. Null: this one alone.
  Team* team = nullptr;
  /// Stopped by it, the result says that it was interrupted.
  ProgressObserver observer = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "k", .help = "Number of components", .low = 1, .setting = ""},
          components);
    for_each_fit_field(visit);
  }

  /// The list without the number of components, for work that finds it.
  template <typename Visit>
  void for_each_fit_field(Visit&& visit) {
    visit(OptionField{.name = "p",
                      .help = "Order of the Wasserstein distance; 1 is the paper's",
                      .low = 1,
                      .high = 2},
          order);
    visit(OptionField{.name = "shape", .help = "Family of the components"}, shape);
    visit(OptionField{.name = "restarts", .help = "Starting points of the fit", .low = 1},
          restarts);
    visit(OptionField{.name = "max_points",
                      .help = "Rows of each data set in a transport problem",
                      .low = 50},
          max_points);
    visit(
        OptionField{
            .name = "max_dim", .help = "Work on at most this many principal axes", .low = 1},
        max_dim);
    visit(OptionField{.name = "max_rounds",
                      .help = "Rounds of coupling and moving the components",
                      .low = 0,
                      .setting = ""},
          max_rounds);
    visit(OptionField{.name = "tolerance",
                      .help = "Stop when a round gains less than this fraction of the value",
                      .low = 0,
                      .high = 1,
                      .open_low = true,
                      .setting = "",
                      .open_high = true},
          tolerance);
    visit(OptionField{.name = "proportion_gap",
                      .help = "Certified gap of the final proportions, relative to W",
                      .low = 0,
                      .high = 1,
                      .setting = "",
                      .open_high = true},
          proportion_gap);
    visit(OptionField{.name = "keep_variance",
                      .help = "Share of the variance that the principal axes keep",
                      .low = 0,
                      .high = 1,
                      .open_low = true,
                      .setting = ""},
          keep_variance);
    visit(OptionField{.name = "floor_replicates",
                      .help = "Resampled nulls behind the noise floor",
                      .low = 0,
                      .setting = ""},
          floor_replicates);
    visit(kThreadsField, threads);
  }
};

/// One data set's half of the measure.
struct NwSide {
  std::vector<double> pi;  ///< [k] proportions, estimated from every row
  double cost = 0.0;       ///< W(P_X, P_{G,pi}), or W2 squared for order 2
  double distance = 0.0;   ///< cost, or its root for order 2
  double lower = 0.0;      ///< for these components, no proportions give a cost below this
  /// Standard error of `cost` from sampling: deviation of the Kantorovich potential over sqrt(n).
  double standard_error = 0.0;
  std::vector<double> component_cost;  ///< [k] what each component contributes to `cost`
  std::size_t rows = 0;                ///< rows given
  std::size_t rows_used = 0;           ///< rows in the transport problem
};

/// How the data were brought to the space in which the measure was computed.
struct Reduction {
  std::size_t original_dim = 0, dim = 0;
  double kept_variance = 1.0;        ///< share of the pooled variance in the working space
  bool applied = false;              ///< false: working space = data space
  std::vector<double> mean;          ///< [original_dim]; data = mean + axes^T working
  Matrix axes;                       ///< [dim, original_dim], orthonormal rows
  std::size_t constant_columns = 0;  ///< columns without variance (harmless, reported)
};

/// The value expected if only sampling noise remained: data drawn from the fitted mixture itself,
/// fitted again from the fit.
struct NoiseFloor {
  double mean = 0.0;       ///< 0 when no replicates were asked for
  double deviation = 0.0;  ///< between replicates
  int replicates = 0;
};

/// Value after each round, with what the round did.
struct NwRound {
  double value = 0.0;
  const char* step = "";  ///< "start", "components", "proportions"
};

enum class NwTermination { converged, round_limit, interrupted };
[[nodiscard]] const char* to_string(NwTermination termination);

/// The measure and the evidence for it.
struct NwResult {
  double value = 0.0;  ///< W_N: the sum of the sides' costs; an upper bound of the minimum over G
  double lower_for_components = 0.0;  ///< what other proportions for the same G could reach
  NwSide x, y;                        ///< `y.rows` is 0 when there was one data set
  Mixture mixture;                    ///< in the working space
  Mixture mixture_original;           ///< in the data space
  NoiseFloor floor;
  double standard_error = 0.0;  ///< of `value`, from sampling
  NwTermination termination = NwTermination::round_limit;
  std::string reason;  ///< why it stopped, in words
  std::vector<NwRound> history;
  Reduction reduction;
  std::size_t atoms_per_component = 0;
  int solves = 0;  ///< exact transport problems solved
  double seconds = 0.0;

  [[nodiscard]] bool converged() const noexcept { return termination == NwTermination::converged; }
};

/// The measure between two data sets, whose weights may be given.
/// Throws InvalidArgument for empty or mismatched data, and for fewer rows than components.
[[nodiscard]] NwResult normalized_wasserstein(const ot::WeightedPoints& x,
                                              const ot::WeightedPoints& y, const NwOptions& options,
                                              Rng& rng);

/// min over G and pi of W(P_X, P_{G,pi}) for one data set.
[[nodiscard]] NwResult fit_mixture(const ot::WeightedPoints& x, const NwOptions& options, Rng& rng);

}  // namespace nw::measure
