#include "cli/cluster/feature_space.hpp"

#include "nw/base/error.hpp"
#include "nw/cluster/kmeans.hpp"

namespace nw::cli {
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

}  // namespace

bool wants_map(const ClusterArguments& arguments, const io::PointSet& points) {
  if (arguments.features != Features::automatic) {
    return arguments.features == Features::diffusion;
  }
  return arguments.method == ClusterMethod::nw && arguments.recipe == ClusterRecipe::best &&
         (points.image || points.dimension() > kLongRow);
}

FeatureSpace make_feature_space(const ClusterArguments& arguments, const io::PointSet& points,
                                std::size_t& k) {
  FeatureSpace space;
  if (!wants_map(arguments, points)) return space;
  require(points.weights.empty(), "--features diffusion: points with weights have no walk");
  cluster::DiffusionOptions options{.neighbours = arguments.neighbours,
                                    .threads = arguments.common.threads};
  const Rng rng = Rng(arguments.common.seed).split(kStream);
  if (k == 0) {
    auto spectrum = options;
    spectrum.dimensions = kMostClusters;
    spectrum.spare = 0;
    k = clusters_of(cluster::diffusion_map(points.values, spectrum, rng).eigenvalues);
  }
  options.dimensions = std::max<std::size_t>(k, 2) - 1;
  space.map = cluster::diffusion_map(points.values, options, rng);
  space.mapped = space.map->all_points ? space.map->coordinates
                                       : space.map->place(points.values, arguments.common.threads);
  return space;
}

std::vector<std::uint32_t> feature_clusters(const ClusterArguments& arguments,
                                            const io::PointSet& points, std::size_t k) {
  ClusterArguments mapping = arguments;
  mapping.features = Features::diffusion;
  const auto space = make_feature_space(mapping, points, k);
  return cluster::kmeans({.points = space.mapped},
                         {.components = k, .restarts = 10, .threads = arguments.common.threads},
                         Rng(arguments.common.seed).split(kStream + 1))
      .assignment;
}

}  // namespace nw::cli
