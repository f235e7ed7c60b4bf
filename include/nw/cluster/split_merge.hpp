// Split and merge: a way out of mixtures that are best only among their neighbours.
//
// Where clusters are of unequal size, descent often ends with two components in a large cluster and
// one for two small ones, and no small step leads out. A move makes one component of two, divides
// another or lets one be born, and lets the mixture come to rest.
//
// Mixtures are judged by W - lambda_reg R [NW:reg]. In several dimensions the noise of a sample
// hides what a small cluster contributes to W; likelihood sees it. So of all mixtures visited whose
// objective lies within a standard error of the least, the likeliest is the answer.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/mixture.hpp"
#include "nw/ot/problem.hpp"

namespace nw::cluster {

/// Components and their proportions.
struct WeightedMixture {
  measure::Mixture mixture;
  std::vector<double> pi;  ///< [k]
};

struct SplitMergeOptions {
  /// lambda_reg: reward for components that lie apart. Not negative.
  double diversity = 0.0;
  /// Moves to take at most. Not negative; 0 leaves only the choice among the starts.
  int max_moves = 20;
  /// Moves, the likeliest ones, that are judged by transport before one is taken. Positive.
  std::size_t candidates = 4;
  /// Rows that mixtures are judged by; more are represented by a random part. Positive.
  std::size_t max_points = 3000;
  /// Points of each component that R is computed by. Positive.
  std::size_t apart_points = 200;
  /// Variance of noise around the components in the likelihood, as a share of the rows' mean
  /// variance. Positive; more makes up for clusters that are not Gaussian but have tails, for which
  /// the widest component would else reach out.
  double noise = 1e-6;
  int threads = 0;
  /// Called before every mixture that is judged; false stops with what has been found.
  std::function<bool()> observer = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// A mixture of affine components and what it is worth.
struct SplitMergeResult {
  WeightedMixture model;
  double distance = 0.0;         ///< W between the rows and the mixture
  double standard_error = 0.0;   ///< of `distance`, from sampling
  double diversity = 0.0;        ///< R = sum_{i>j} pi_i pi_j W(G_i, G_j)
  double objective = 0.0;        ///< distance - lambda_reg * diversity
  double log_likelihood = 0.0;   ///< mean over rows
  double least_objective = 0.0;  ///< of all mixtures visited
  int visited = 0, taken = 0;
  bool interrupted = false;
};

/// The best mixture that moves from the best of `starts` lead to. All starts have as many
/// components, which must be affine; throws InvalidArgument otherwise.
[[nodiscard]] SplitMergeResult split_and_merge(MatrixView rows,
                                               const std::vector<WeightedMixture>& starts,
                                               const SplitMergeOptions& options, const Rng& rng);

}  // namespace nw::cluster
