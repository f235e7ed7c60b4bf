// The space that points are clustered in.
#pragma once

#include <optional>

#include "nw/cluster/diffusion_map.hpp"
#include "nw/io/points.hpp"

#include "cli/cluster/arguments.hpp"

namespace nw::cli {

/// Variance of noise around Gaussian components in coordinates of a walk, of which two equal
/// clusters lie at -1 and 1. Most of a cluster lies at one place there and a few points on the way
/// to the next: a component as narrow as the most of them would leave the others to any wide one,
/// however far away.
inline constexpr double kWalkNoise = 0.25;

/// Where points lie for a clustering method.
struct FeatureSpace {
  std::optional<cluster::DiffusionMap> map;  ///< none: the space of the data
  Matrix mapped;                             ///< [n, q] where there is a map

  [[nodiscard]] MatrixView of(const io::PointSet& points) const {
    return map ? mapped.view() : points.values.view();
  }
};

/// Whether these arguments ask for a map of these points.
[[nodiscard]] bool wants_map(const ClusterArguments& arguments, const io::PointSet& points);

/// The space for k clusters. `k` is 0 when it is to be found; where there is a map its spectrum
/// tells, and `k` is set.
[[nodiscard]] FeatureSpace make_feature_space(const ClusterArguments& arguments,
                                              const io::PointSet& points, std::size_t& k);

/// A first guess at k clusters: k-means on a diffusion map of the points.
[[nodiscard]] std::vector<std::uint32_t> feature_clusters(const ClusterArguments& arguments,
                                                          const io::PointSet& points,
                                                          std::size_t k);

}  // namespace nw::cli
