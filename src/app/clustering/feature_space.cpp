#include "app/clustering/feature_space.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/cluster/kmeans.hpp"

namespace nw::app {
namespace {

// Rows longer than this are rather pictures or signals than tables.
constexpr std::size_t kLongRow = 20;
constexpr std::size_t kMostClusters = 15;
constexpr std::uint64_t kStream = 201;

/// The number of clusters that the spectrum of a walk suggests: where its rates of mixing 1 - l
/// grow by the largest factor (the eigengap of von Luxburg 2007, section 8.3, on the scale of
/// times).
std::size_t clusters_of(const std::vector<double>& eigenvalues) {
  constexpr double kLeast = 1e-9;  // parts of their own do not mix at all
  std::size_t k = 2;
  double best = 0.0;
  for (std::size_t i = 0; i + 1 < eigenvalues.size(); ++i) {
    const double growth = (1.0 - eigenvalues[i + 1] + kLeast) / (1.0 - eigenvalues[i] + kLeast);
    if (growth > best) {
      best = growth;
      k = i + 2;
    }
  }
  return k;
}

/// Of images as many as ways to find them agree about, else as the spectrum of the walk suggests.
std::size_t number_of_clusters(const io::PointSet& points, const cluster::DiffusionOptions& walk,
                               const Rng& rng) {
  if (walk.image) {
    if (const auto k = cluster::agreed_clusters(points.values, walk, kMostClusters, rng)) return *k;
  }
  auto spectrum = walk;
  spectrum.dimensions = kMostClusters;
  spectrum.spare = 0;
  return clusters_of(cluster::diffusion_map(points.values, spectrum, rng).eigenvalues);
}

/// Whether these options ask for a map of these points.
bool wants_map(const ClusteringOptions& options, const io::PointSet& points) {
  if (options.features != Features::automatic) return options.features == Features::diffusion;
  return options.method == ClusterMethod::nw && options.recipe == ClusterRecipe::best &&
         (points.image || points.dimension() > kLongRow);
}

}  // namespace

FeatureSpace make_feature_space(const ClusteringOptions& options, const io::PointSet& points,
                                std::size_t& k) {
  FeatureSpace space;
  if (!wants_map(options, points)) return space;
  require(points.weights.empty(), "features diffusion: points with weights have no walk");
  cluster::DiffusionOptions walk{.neighbours = options.neighbours, .threads = options.threads};
  if (const auto& image = points.image) {
    walk.image = {.height = image->height, .width = image->width, .channels = image->channels};
  }
  const Rng rng = Rng(options.seed).split(kStream);
  if (k == 0) k = number_of_clusters(points, walk, rng);
  walk.dimensions = std::max<std::size_t>(k, 2) - 1;
  space.map = cluster::diffusion_map_for_clusters(points.values, walk, rng);
  space.mapped = space.map->all_points ? space.map->coordinates
                                       : space.map->place(points.values, options.threads);
  return space;
}

std::vector<std::uint32_t> feature_clusters(const ClusteringOptions& options,
                                            const io::PointSet& points, std::size_t k) {
  ClusteringOptions mapping = options;
  mapping.features = Features::diffusion;
  const auto space = make_feature_space(mapping, points, k);
  return cluster::kmeans({.points = space.mapped},
                         {.components = k, .restarts = 10, .threads = options.threads},
                         Rng(options.seed).split(kStream + 1))
      .assignment;
}

measure::ChooseKResult find_k(const ClusteringOptions& options, const io::PointSet& points,
                              const ProgressObserver& observer) {
  measure::ChooseKOptions search;
  search.nw.threads = options.threads;
  if (observer) {
    search.observer = [&](const Progress& at) {
      return observer({.stage = "choose-k", .share = at.share});
    };
  }
  Rng rng(options.seed);
  return measure::choose_k({.points = points.values, .weights = points.weights}, search, rng);
}

std::size_t prepare(const ClusteringOptions& options, const io::PointSet& points,
                    const ProgressObserver& observer, ClusteringResult& result) {
  options.validate();
  std::size_t k = options.k;
  require(k <= points.size(), "k = ", k, ": there are only ", points.size(), " points");
  result.method = options.method;
  result.space = make_feature_space(options, points, k);
  if (const auto& map = result.space.map;
      map && map->agreement.value_or(1.0) < cluster::kSureAgreement) {
    result.warnings.push_back(
        concat("methods disagree about these clusters: communities of the same points at other "
               "resolutions are others (mean ARI ",
               significant(*map->agreement, 2), "); look at them before you trust them"));
  }
  if (const auto& map = result.space.map; map && map->valley.value_or(0.0) < cluster::kSureValley) {
    result.warnings.push_back(
        "around one of these clusters points lie more densely than inside it, so nothing shows "
        "that it is one; look at them before you trust them");
  }
  if (k > 0) return k;
  result.choice = find_k(options, points, observer);
  result.interrupted = result.choice->curve.empty();
  return result.interrupted ? 0 : result.choice->k;
}

}  // namespace nw::app
