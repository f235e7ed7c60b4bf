// Exact transport under other costs than the Euclidean ones, and transport that may leave mass.
#pragma once

#include <optional>
#include <string>

#include "nw/base/matrix_view.hpp"
#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"

namespace nw::ot {

/// How far apart two points are. `cosine` is 1 - cos of the angle between them.
enum class Metric { euclidean, cityblock, chebyshev, cosine };

[[nodiscard]] const char* to_string(Metric metric);
/// The inverse of to_string. Throws InvalidArgument naming the choices.
[[nodiscard]] Metric metric_from_string(const std::string& name);

struct MetricOptions {
  Metric metric = Metric::euclidean;
  /// Moving a unit of mass costs distance^exponent. In [1, 2].
  double exponent = 1.0;
  /// Mahalanobis distance: the points are taken as if multiplied by a root of this symmetric
  /// positive definite matrix [d, d], such as the inverse of a covariance; a diagonal one weighs
  /// the coordinates. Empty: none.
  MatrixView precision = {};
  ExactOptions exact = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Solves the transport problem between two clouds for such a cost, with the same certificate as
/// solve_exact(). Euclidean distances to the power 1 or 2 and cosines need memory O(n + m); other
/// costs are put into a matrix of n x m numbers, of which there may be 2^28.
[[nodiscard]] TransportResult solve_metric(const WeightedPoints& source,
                                           const WeightedPoints& target,
                                           const MetricOptions& options = {});

/// The cost of every pair of points: a matrix of n x m numbers, of which there may be 2^28.
[[nodiscard]] Matrix metric_costs(const WeightedPoints& source, const WeightedPoints& target,
                                  const MetricOptions& options = {});

/// What partial transport found. Masses are as given, not normalised.
struct PartialResult {
  /// Flows, cost (with the price of all that was left) and dual objective. The potentials are at
  /// most the price and f_i + g_j <= C_ij.
  TransportResult transport;
  double moved = 0.0, left_at_source = 0.0, left_at_target = 0.0;
};

/// Moves mass where that costs less than leaving it at both ends: every unit that stays at a source
/// or is missing at a target costs `price`, and the two sides may have different totals. Empty
/// weights mean equal masses of total one. Throws InvalidArgument for a price that is negative or
/// not finite.
[[nodiscard]] PartialResult solve_partial(const MatrixProblem& problem, double price,
                                          const ExactOptions& options = {});
/// The same between two clouds, on the matrix of metric_costs().
[[nodiscard]] PartialResult solve_partial(const WeightedPoints& source,
                                          const WeightedPoints& target, double price,
                                          const MetricOptions& options = {});

}  // namespace nw::ot
