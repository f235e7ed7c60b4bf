#include "nw/app/clustering/find_clusters.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/cluster/equilibrium_kmeans.hpp"
#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/cluster/kmeans.hpp"

#include "app/clustering/classic_model.hpp"
#include "app/clustering/evidence_method.hpp"
#include "app/clustering/feature_space.hpp"

namespace nw::app {
namespace {

constexpr int kRestarts = 10;
/// Few images say little about proportions, and learning takes seconds where k-means takes none.
constexpr std::size_t kFewPoints = 500;

/// What all methods here work on.
struct Task {
  const ClusteringOptions& options;
  ot::WeightedPoints data;  // in the space that is clustered
  std::size_t k;
  std::function<bool(double)> observer;
};

/// What the results of all methods here have in common.
template <typename Fit>
void take_over(Fit& found, ClusteringResult& result) {
  result.assignment = std::move(found.assignment);
  result.iterations = found.iterations;
  result.converged = found.converged;
  result.interrupted = found.interrupted;
}

ClassicParts run_kmeans(const Task& task, ClusteringResult& result) {
  cluster::KMeansOptions options{
      .components = task.k, .threads = task.options.threads, .observer = task.observer};
  if (task.options.restarts) options.restarts = *task.options.restarts;
  auto found = cluster::kmeans(task.data, options, Rng(task.options.seed));
  take_over(found, result);
  result.pi = std::move(found.share);
  result.centres = std::move(found.centres);
  result.criterion = "inertia";
  result.value = found.inertia;
  return {.centres = result.centres};
}

ClassicParts run_gmm(const Task& task, ClusteringResult& result) {
  cluster::GaussianMixtureOptions options{.components = task.k,
                                          .shape = task.options.shape,
                                          .restarts = task.options.restarts.value_or(kRestarts),
                                          .threads = task.options.threads,
                                          .observer = task.observer};
  if (result.space.map) options.ridge = kWalkNoise;
  auto found = cluster::gaussian_mixture(task.data, options, Rng(task.options.seed));
  take_over(found, result);
  result.pi = std::move(found.pi);
  result.confidence = std::move(found.confidence);
  result.centres = Matrix(task.k, task.data.points.cols());
  result.criterion = "log_likelihood";
  result.value = found.log_likelihood;
  for (std::size_t j = 0; j < task.k; ++j) {
    const auto& component = found.mixture.components[j];
    std::copy(component.centre.begin(), component.centre.end(), result.centres.row(j).begin());
    result.covariances.push_back(covariance(component));
  }
  return {.mixture = std::move(found.mixture), .ridge = options.ridge};
}

ClassicParts run_equilibrium(const Task& task, ClusteringResult& result) {
  const cluster::EquilibriumKMeansOptions options{
      .components = task.k,
      .restarts = task.options.restarts.value_or(kRestarts),
      .observer = task.observer};
  auto found = cluster::equilibrium_kmeans(task.data, options, Rng(task.options.seed));
  take_over(found, result);
  result.pi = std::move(found.share);
  result.confidence = std::move(found.confidence);
  result.centres = std::move(found.centres);
  result.criterion = "objective";
  result.value = found.objective;
  return {.centres = result.centres, .alpha = found.alpha};
}

ClassicParts run_method(const Task& task, ClusteringResult& result) {
  switch (task.options.method) {
    case ClusterMethod::kmeans:
      return run_kmeans(task, result);
    case ClusterMethod::gmm:
      return run_gmm(task, result);
    case ClusterMethod::equilibrium:
      return run_equilibrium(task, result);
    case ClusterMethod::genie:
      return run_genie(task.data.points, task.k, task.options, result);
    case ClusterMethod::automatic:
    case ClusterMethod::evidence:
    case ClusterMethod::nw:
      break;
  }
  throw InvalidArgument("find_clusters: the method nw needs LibTorch: call cluster_points");
}

}  // namespace

ClusterMethod choose_method(const io::PointSet& points, const ClusteringOptions& options,
                            bool can_learn) {
  if (can_learn && options.asks_to_learn()) return ClusterMethod::nw;
  if (!points.weights.empty() || points.size() < 2) return ClusterMethod::kmeans;
  if (points.image) {
    const bool few = points.size() < kFewPoints;
    return can_learn && !few ? ClusterMethod::nw : ClusterMethod::kmeans;
  }
  return options.features == Features::diffusion ? ClusterMethod::kmeans : ClusterMethod::evidence;
}

ClusteringResult find_clusters(const io::PointSet& points, const ClusteringOptions& asked,
                               const ProgressObserver& observer) {
  ClusteringOptions options = asked;
  if (options.method == ClusterMethod::automatic) {
    options.method = choose_method(points, options, /*can_learn=*/false);
  }
  ClusteringResult result;
  std::function<bool(double)> show;
  if (observer) {
    show = [&](double share) { return observer({.stage = "cluster", .share = share}); };
  }
  ClassicParts parts;
  if (options.method == ClusterMethod::evidence) {
    options.validate();
    require(options.features != Features::diffusion,
            "method evidence has diffusion among its candidates: features diffusion belongs to "
            "the other methods");
    require(points.weights.empty(), "method evidence: points with weights have no neighbours");
    require(options.k <= points.size(), "k = ", options.k, ": there are only ", points.size(),
            " points");
    result.method = options.method;
    parts = run_evidence(points, options, show, result);
  } else {
    const std::size_t k = prepare(options, points, observer, result);
    if (k == 0) return result;
    require(options.method != ClusterMethod::genie || points.weights.empty(),
            "method genie: points with weights have no neighbours");
    parts = run_method({.options = options,
                        .data = {.points = result.space.of(points), .weights = points.weights},
                        .k = k,
                        .observer = std::move(show)},
                       result);
  }
  if (options.noise) set_noise_apart(result.space.of(points), options, result);
  parts.method = options.method;
  parts.pi = result.pi;
  parts.map = result.space.map;
  result.model = make_classic_model(std::move(parts));
  return result;
}

}  // namespace nw::app
