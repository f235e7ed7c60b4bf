// Of a few hundred images the leading coordinates of a walk run along the largest class, and
// whether further ones tell a small class or single out a few points depends on the images. Digits
// of MNIST and USPS chose what competes and by what (docs/measurements/cluster_measured.md).
#include <algorithm>
#include <limits>
#include <vector>

#include "nw/cluster/diffusion_map.hpp"
#include "nw/cluster/kmeans.hpp"

#include "cluster/separation.hpp"

namespace nw::cluster {
namespace {

constexpr std::uint64_t kClusters = 11;
constexpr std::size_t kNeighbours = 10;   // by which clusters are judged
constexpr std::size_t kFewestEach = 100;  // points for a coordinate of a map that competes

std::vector<DiffusionOptions> competitors(const DiffusionOptions& options, std::size_t points) {
  std::vector<DiffusionOptions> all;
  for (const std::size_t neighbours :
       {options.neighbours, std::max<std::size_t>(options.neighbours / 2, 1),
        2 * options.neighbours}) {
    for (std::size_t spare = 0; spare <= options.spare; spare += 2) {
      if (points <= neighbours) continue;
      if (spare > 0 && points < kFewestEach * (options.dimensions + spare)) continue;
      auto one = options;
      one.neighbours = neighbours;
      one.spare = spare;
      one.points_each = kFewestEach;
      all.push_back(one);
    }
  }
  return all;
}

}  // namespace

DiffusionMap diffusion_map_for_clusters(MatrixView points, const DiffusionOptions& options,
                                        const Rng& rng) {
  const std::size_t n = points.rows(), k = options.dimensions + 1;
  const bool enough = n >= options.points_each * (options.dimensions + options.spare);
  const auto maps = enough ? std::vector<DiffusionOptions>() : competitors(options, n);
  if (maps.size() < 2) return diffusion_map(points, options, rng);
  DiffusionMap best;
  Neighbourhood around;
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& one : maps) {
    auto map = diffusion_map(points, one, rng);
    if (around.log_density.empty()) {
      around = neighbourhood(map.reference, kNeighbours, options.threads);
    }
    const auto found =
        kmeans({.points = map.coordinates},
               {.components = k, .restarts = 10, .threads = options.threads}, rng.split(kClusters));
    const bool some_empty = std::ranges::find(found.share, 0.0) != found.share.end();
    const double apart = some_empty ? std::numeric_limits<double>::lowest()
                                    : separation(around, found.assignment, k).apart();
    if (apart > most) {
      most = apart;
      best = std::move(map);
    }
  }
  return best;
}

}  // namespace nw::cluster
