// Private: does another mix of the classes of X, which are known, explain Y?
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"

#include "measure/pooled_rows.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

struct ClassOptions {
  std::size_t classes = 0;
  int trees = 100;         ///< for each class
  int domain_trees = 200;  ///< of each kind, that tell X in the mix of Y from Y
  int resamplings = 200;
  double confidence = 0.95;
  int threads = 1;
  StopCheck stop = {};
};

struct ClassTests {
  std::vector<double> share_x;
  /// The answer: by likelihood, with intervals that hold the shares found in the other ways, too.
  ShareEstimate share_y;
  std::vector<ShareRoute> routes;           ///< likelihood, confusion, energy, transport
  std::vector<std::vector<double>> errors;  ///< [resamplings][classes] of share_y
  double p = 1.0;                           ///< of "Y is a mix of the classes of X"
};

/// `class_of` is the class of every pooled row of X. A class of which no row was pooled has share 0
/// in X and any share in Y.
[[nodiscard]] ClassTests test_classes(const PooledRows& pool,
                                      const std::vector<std::uint32_t>& class_of,
                                      const ClassOptions& options, const Rng& rng);

/// The p-value of "only the mix changed" with both readings: p_classes, or that without classes
/// where the classes do not speak against it (p_classes below one half).
[[nodiscard]] double with_classes(double p_without, double p_classes, double alpha);

}  // namespace nw::measure
