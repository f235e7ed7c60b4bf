// EM (Dempster, Laird and Rubin 1977) from the moments of k-means clusters.
#include "nw/cluster/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "nw/base/error.hpp"

#include "cluster/best_start.hpp"
#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;
using measure::SharedModel;

/// A clustering as k-means would tell it; an empty cluster lies at the mean of all rows.
KMeansResult clusters_of(const measure::Sample& sample, const std::vector<std::uint32_t>& cluster,
                         std::size_t k) {
  const std::size_t n = sample.points.rows(), d = sample.points.cols();
  require(cluster.size() == n, "gaussian_mixture: a start has ", cluster.size(), " rows of ", n);
  KMeansResult result{.centres = Matrix(k, d), .assignment = cluster, .share = std::vector(k, 0.0)};
  std::vector<double> mean(d, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    require(cluster[i] < k, "gaussian_mixture: a start has cluster ", cluster[i], " of ", k);
    result.share[cluster[i]] += sample.weights[i];
    for (std::size_t c = 0; c < d; ++c) {
      result.centres(cluster[i], c) += sample.weights[i] * sample.points(i, c);
      mean[c] += sample.weights[i] * sample.points(i, c);
    }
  }
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t c = 0; c < d; ++c) {
      result.centres(j, c) =
          result.share[j] > 0.0 ? result.centres(j, c) / result.share[j] : mean[c];
    }
  }
  return result;
}

/// The clusters' own moments.
SharedModel model_of(const measure::Sample& sample, const KMeansResult& clusters,
                     measure::Shape shape) {
  const auto points = as_eigen(sample.points.view());
  const std::size_t k = clusters.share.size();
  const auto d = points.cols();
  std::vector<RowMatrix> second(k, RowMatrix::Zero(d, d));
  std::vector<double> mass(k, 0.0);
  for (std::size_t i = 0; i < clusters.assignment.size(); ++i) {
    const std::size_t j = clusters.assignment[i];
    const Eigen::RowVectorXd delta =
        points.row(static_cast<Eigen::Index>(i)) -
        as_eigen(clusters.centres.view()).row(static_cast<Eigen::Index>(j));
    if (shape == measure::Shape::full) {
      second[j].noalias() += sample.weights[i] * delta.transpose() * delta;
    } else {
      second[j].diagonal() += sample.weights[i] * delta.cwiseAbs2().transpose();
    }
    mass[j] += sample.weights[i];
  }
  SharedModel model;
  model.pi = {mass};
  for (std::size_t j = 0; j < k; ++j) {
    if (mass[j] > 0.0) second[j] /= mass[j];
    model.mixture.components.push_back(measure::gaussian_component(
        clusters.centres.row(j),
        measure::to_matrix(measure::shaped_covariance(std::move(second[j]), shape))));
  }
  return model;
}

GaussianMixtureResult describe(const measure::Sample& sample, measure::EmResult best,
                               const GaussianMixtureOptions& options) {
  const std::size_t k = options.components;
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& pi = best.model.pi[0];
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pi[a] > pi[b]; });
  GaussianMixtureResult result;
  for (const std::size_t j : order) {
    result.mixture.components.push_back(best.model.mixture.components[j]);
    result.pi.push_back(pi[j]);
  }
  const measure::ComponentDensity density(result.mixture, options.ridge);
  const auto posterior =
      measure::posterior(density.log_density(sample.points), result.pi, sample.weights);
  // The densities leave out a constant that posteriors do not need.
  result.log_likelihood = posterior.log_likelihood - 0.5 *
                                                         static_cast<double>(sample.points.cols()) *
                                                         std::log(2.0 * std::numbers::pi);
  for (Eigen::Index i = 0; i < posterior.probability.rows(); ++i) {
    Eigen::Index j = 0;
    result.confidence.push_back(posterior.probability.row(i).maxCoeff(&j));
    result.assignment.push_back(static_cast<std::uint32_t>(j));
  }
  result.iterations = best.iterations;
  result.converged = best.iterations < options.max_iterations;
  return result;
}

}  // namespace

void GaussianMixtureOptions::validate() const {
  const auto positive = [](auto value, const char* field) {
    require(value > 0, "GaussianMixtureOptions.", field, " must be positive, got ", value);
  };
  positive(components, "components");
  require(restarts > 0 || (restarts == 0 && !starts.empty()),
          "GaussianMixtureOptions.restarts must be positive, got ", restarts);
  positive(max_iterations, "max_iterations");
  positive(ridge, "ridge");
  require(tolerance >= 0.0, "GaussianMixtureOptions.tolerance must not be negative, got ",
          tolerance);
}

GaussianMixtureResult gaussian_mixture(const ot::WeightedPoints& data,
                                       const GaussianMixtureOptions& options, const Rng& rng) {
  options.validate();
  const std::size_t rows = data.points.rows();
  measure::Sample sample{
      .points = Matrix({data.points.values().begin(), data.points.values().end()}, rows,
                       data.points.cols()),
      .weights = data.weights.empty()
                     ? std::vector<double>(rows, 1.0)
                     : std::vector<double>(data.weights.begin(), data.weights.end())};
  const double total = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  require(total > 0.0, "gaussian_mixture: no points, or weights that are all zero");
  for (double& weight : sample.weights) weight /= total;
  const measure::EmOptions em{.shape = options.shape,
                              .max_iterations = options.max_iterations,
                              .tolerance = options.tolerance,
                              .move_components = true,
                              .shrink = false,
                              .ridge = options.ridge};
  const auto given = options.starts.size();
  std::size_t run = 0;
  auto best = best_start(
      options.restarts + static_cast<int>(given), options.observer, rng,
      [&](const Rng& stream) {
        const auto clusters =
            run < given
                ? clusters_of(sample, options.starts[run], options.components)
                : kmeans(
                      {.points = sample.points, .weights = sample.weights},
                      {.components = options.components, .restarts = 1, .threads = options.threads},
                      stream);
        ++run;
        return measure::run_em({sample}, model_of(sample, clusters, options.shape), em);
      },
      [](const measure::EmResult& found) { return -found.log_likelihood; });
  auto result = describe(sample, std::move(best.start), options);
  result.interrupted = best.interrupted;
  return result;
}

measure::Mixture gaussians_of_clusters(MatrixView rows, const std::vector<std::uint32_t>& cluster,
                                       std::size_t k) {
  const measure::Sample sample{
      .points = Matrix({rows.values().begin(), rows.values().end()}, rows.rows(), rows.cols()),
      .weights = std::vector<double>(rows.rows(), 1.0 / static_cast<double>(rows.rows()))};
  return model_of(sample, clusters_of(sample, cluster, k), measure::Shape::full).mixture;
}

}  // namespace nw::cluster
