// Private: Gaussian mixtures by EM, with components shared by all samples and proportions of each.
#pragma once

#include <vector>

#include "nw/measure/mixture.hpp"

#include "measure/dense.hpp"
#include "measure/stop_check.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// Shared components and one vector of proportions per sample.
struct SharedModel {
  Mixture mixture;
  std::vector<std::vector<double>> pi;
};

struct EmOptions {
  Shape shape = Shape::full;
  int max_iterations = 50;
  /// Stop when an iteration gains less log-likelihood per row than this.
  double tolerance = 1e-5;
  /// false: only the proportions are re-estimated.
  bool move_components = true;
  /// Full covariances of components with few members become rounder; see shared_em.cpp.
  bool shrink = true;
  /// Added to every covariance in the densities, so that flat components keep one.
  double ridge = 0.0;
  StopCheck stop = {};
};

struct EmResult {
  SharedModel model;
  double log_likelihood = 0.0;  ///< mean over rows, samples weighing the same
  int iterations = 0;
};

[[nodiscard]] EmResult run_em(const std::vector<Sample>& samples, SharedModel start,
                              const EmOptions& options);

/// Densities of components at points, up to a factor per point that cancels in posteriors.
class ComponentDensity {
 public:
  ComponentDensity(const Mixture& mixture, double ridge);
  /// log g_j(x_i): [rows, k].
  [[nodiscard]] RowMatrix log_density(MatrixView points) const;

 private:
  /// Up to here plain loops, one row after the other, cost less than matrix products.
  static constexpr std::size_t kShortRow = 4;
  void log_density_of_short_rows(MatrixView points, RowMatrix& result) const;

  std::vector<Eigen::VectorXd> centre_;
  std::vector<RowMatrix> whitening_;  // inverse Cholesky factor
  std::vector<double> log_scale_;
};

/// P(component j | x_i) for the proportions pi: [rows, k]. Returns the mean log-likelihood too.
struct Posterior {
  RowMatrix probability;
  double log_likelihood = 0.0;
};
[[nodiscard]] Posterior posterior(RowMatrix log_density, std::span<const double> pi,
                                  std::span<const double> weights);

/// What `shape` leaves of a covariance.
[[nodiscard]] RowMatrix shaped_covariance(RowMatrix sigma, Shape shape);

/// The covariance a component of this shape takes from the empirical one of `members` points.
[[nodiscard]] RowMatrix constrained_covariance(RowMatrix sigma, Shape shape, double members);

/// The ridge that suits data of this mean variance.
[[nodiscard]] double density_ridge(double variance);

/// Maximum-likelihood proportions of fixed components from every row of `data`, which is given in
/// the data space and read block by block.
[[nodiscard]] std::vector<double> likelihood_proportions(const ot::WeightedPoints& data,
                                                         const Reduction& reduction,
                                                         const ComponentDensity& density,
                                                         std::vector<double> start, int threads);

}  // namespace nw::measure
