// The space that points are clustered in.
#pragma once

#include "nw/app/clustering/find_clusters.hpp"

namespace nw::app {

/// Variance of noise around Gaussian components in coordinates of a walk, of which two equal
/// clusters lie at -1 and 1. Most of a cluster lies at one place there and a few points on the way
/// to the next: a component as narrow as the most of them would leave the others to any wide one,
/// however far away.
inline constexpr double kWalkNoise = 0.25;

/// The space for options.k clusters. Where k is 0 and there is a map, its spectrum decides and
/// `k` is set; without a map `k` stays 0.
[[nodiscard]] FeatureSpace make_feature_space(const ClusteringOptions& options,
                                              const io::PointSet& points, std::size_t& k);

/// A first guess at k clusters: k-means on a diffusion map of the points.
[[nodiscard]] std::vector<std::uint32_t> feature_clusters(const ClusteringOptions& options,
                                                          const io::PointSet& points,
                                                          std::size_t k);

/// The number of clusters by Theorem 1 [NW:thm1], as `nw choose-k` finds it.
[[nodiscard]] measure::ChooseKResult find_k(const ClusteringOptions& options,
                                            const io::PointSet& points,
                                            const ProgressObserver& observer);

/// Space and number of clusters, found where they are not given. Fills in `space` and `choice` of
/// the result; returns k, or 0 where the observer stopped the search before there was any.
[[nodiscard]] std::size_t prepare(const ClusteringOptions& options, const io::PointSet& points,
                                  const ProgressObserver& observer, ClusteringResult& result);

}  // namespace nw::app
