// Mixtures of Gaussians by maximum likelihood: soft clusters that may be long and of any size.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/cluster/kmeans.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::cluster {

struct GaussianMixtureOptions {
  /// k. Positive, at most the number of points.
  std::size_t components = 8;
  /// `full` or `diagonal` covariances; `spherical` has one variance per component.
  measure::Shape shape = measure::Shape::full;
  /// Runs of EM, each from its own k-means; the likeliest wins. Positive, or zero with `starts`.
  int restarts = 1;
  /// Clusterings of the rows, [n] each with numbers below k, that further runs begin from.
  std::vector<std::vector<std::uint32_t>> starts = {};
  /// Rounds of EM per run. Positive.
  int max_iterations = 100;
  /// Stop when a round gains less log-likelihood per point than this. Not negative.
  double tolerance = 1e-3;
  /// Added to every variance, which keeps components from collapsing on a point. Positive.
  double ridge = 1e-6;
  int threads = 0;
  std::function<bool(double)> observer = {};  ///< as in KMeansOptions

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

struct GaussianMixtureResult {
  measure::Mixture mixture;               ///< k components, that of the largest share first
  std::vector<double> pi;                 ///< [k]
  std::vector<std::uint32_t> assignment;  ///< [n]: the likeliest component
  std::vector<double> confidence;         ///< [n]: its probability
  double log_likelihood = 0.0;            ///< mean over points
  int iterations = 0;                     ///< of the winning run
  bool converged = false;
  bool interrupted = false;
};

[[nodiscard]] GaussianMixtureResult gaussian_mixture(const ot::WeightedPoints& data,
                                                     const GaussianMixtureOptions& options,
                                                     const Rng& rng);

/// Gaussians with the means and covariances of clusters 0 ... k - 1 of the rows.
[[nodiscard]] measure::Mixture gaussians_of_clusters(MatrixView rows,
                                                     const std::vector<std::uint32_t>& cluster,
                                                     std::size_t k);

}  // namespace nw::cluster
