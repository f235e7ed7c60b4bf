// Proportions for fixed components: the global minimum of W(P_X, sum_j pi_j G_j) over pi.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "nw/measure/mixture.hpp"
#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"

namespace nw::measure {

struct ProportionOptions {
  ot::GroundCost cost = ot::GroundCost::euclidean;
  /// Stop when (upper - lower) <= relative_gap * upper. In [0, 1).
  double relative_gap = 1e-4;
  /// Budget of exact solves. At least 1.
  int max_solves = 400;
  /// Where to start; empty means from the share of points nearest to each component.
  std::vector<double> start = {};
  /// A result for the same data and the same number of atoms: makes the first solve cheaper.
  const ot::TransportResult* warm_start = nullptr;
  /// Atoms per affine component when a Mixture is given.
  std::size_t atoms_per_component = 256;
  /// Threads; 0 means all cores. The answer is the same for every value.
  int threads = 0;
  /// Called now and then from a solving thread; return false to stop with the best so far.
  std::function<bool(const ot::ExactProgress&)> observer = {};

  void validate() const;
};

/// The proportions found, with a certificate: the global minimum lies in [lower, upper].
struct ProportionResult {
  std::vector<double> pi;         ///< [k], attains `upper`
  double upper = 0.0;             ///< W at pi (W2 squared for squared_euclidean)
  double lower = 0.0;             ///< no proportions reach below this
  int solves = 0;                 ///< exact transport problems solved
  bool converged = false;         ///< the gap is as small as asked for
  std::vector<double> gradient;   ///< [k], mean target potential of each component at pi [NW:dpi]
  ot::TransportResult transport;  ///< the solution at pi

  [[nodiscard]] double gap() const noexcept { return upper - lower; }
};

/// dW/dpi_j for fixed atoms: the mean potential of component j's atoms [NW:dpi]. Defined up to a
/// constant, because pi moves on the simplex.
[[nodiscard]] std::vector<double> proportion_gradient(std::span<const double> target_potential,
                                                      const Atoms& atoms);

/// Minimises the convex function pi -> W(data, sum_j pi_j atoms_j) to a certified gap.
[[nodiscard]] ProportionResult fit_proportions(const ot::WeightedPoints& data, const Atoms& atoms,
                                               const ProportionOptions& options = {});

/// The same for a mixture, through its stratified atoms.
[[nodiscard]] ProportionResult fit_proportions(const ot::WeightedPoints& data,
                                               const Mixture& mixture,
                                               const ProportionOptions& options = {});

}  // namespace nw::measure
