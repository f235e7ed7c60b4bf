#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/cluster/equilibrium_kmeans.hpp"
#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/cluster/kmeans.hpp"

#include "cli/cluster/clusters.hpp"
#include "cli/cluster/feature_space.hpp"

namespace nw::cli {
namespace {

constexpr int kRestarts = 10;

Clusters run_kmeans(const ClusterArguments& arguments, const ot::WeightedPoints& data,
                    std::size_t k, const std::function<bool(double)>& observer) {
  cluster::KMeansOptions options{
      .components = k, .threads = arguments.common.threads, .observer = observer};
  if (arguments.restarts) options.restarts = *arguments.restarts;
  auto found = cluster::kmeans(data, options, Rng(arguments.common.seed));
  return {.pi = std::move(found.share),
          .assignment = std::move(found.assignment),
          .centres = std::move(found.centres),
          .criterion = "inertia",
          .value = found.inertia,
          .iterations = found.iterations,
          .converged = found.converged,
          .interrupted = found.interrupted};
}

Clusters run_gmm(const ClusterArguments& arguments, const ot::WeightedPoints& data, std::size_t k,
                 const std::function<bool(double)>& observer) {
  cluster::GaussianMixtureOptions options{.components = k,
                                          .shape = arguments.shape,
                                          .restarts = arguments.restarts.value_or(kRestarts),
                                          .threads = arguments.common.threads,
                                          .observer = observer};
  if (arguments.features == Features::diffusion) options.ridge = kWalkNoise;
  auto found = cluster::gaussian_mixture(data, options, Rng(arguments.common.seed));
  Clusters clusters{.pi = std::move(found.pi),
                    .assignment = std::move(found.assignment),
                    .confidence = std::move(found.confidence),
                    .centres = Matrix(k, data.points.cols()),
                    .criterion = "log_likelihood",
                    .value = found.log_likelihood,
                    .iterations = found.iterations,
                    .converged = found.converged,
                    .interrupted = found.interrupted};
  for (std::size_t j = 0; j < k; ++j) {
    const auto& component = found.mixture.components[j];
    std::copy(component.centre.begin(), component.centre.end(), clusters.centres.row(j).begin());
    clusters.covariances.push_back(covariance(component));
  }
  return clusters;
}

Clusters run_equilibrium(const ClusterArguments& arguments, const ot::WeightedPoints& data,
                         std::size_t k, const std::function<bool(double)>& observer) {
  const cluster::EquilibriumKMeansOptions options{
      .components = k, .restarts = arguments.restarts.value_or(kRestarts), .observer = observer};
  auto found = cluster::equilibrium_kmeans(data, options, Rng(arguments.common.seed));
  return {.pi = std::move(found.share),
          .assignment = std::move(found.assignment),
          .confidence = std::move(found.confidence),
          .centres = std::move(found.centres),
          .criterion = "objective",
          .value = found.objective,
          .iterations = found.iterations,
          .converged = found.converged,
          .interrupted = found.interrupted};
}

}  // namespace

Clusters find_clusters(const ClusterArguments& arguments, const ot::WeightedPoints& data,
                       std::size_t k, const std::function<bool(double)>& observer) {
  switch (arguments.method) {
    case ClusterMethod::kmeans:
      return run_kmeans(arguments, data, k, observer);
    case ClusterMethod::gmm:
      return run_gmm(arguments, data, k, observer);
    case ClusterMethod::equilibrium:
      return run_equilibrium(arguments, data, k, observer);
    case ClusterMethod::nw:
      break;
  }
  throw InvalidArgument("find_clusters: nw learns by networks");
}

}  // namespace nw::cli
