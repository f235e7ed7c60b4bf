// From the options of a clustering to what is trained.
#pragma once

#include "nw/app/clustering/find_clusters.hpp"

#include "app/clustering/adversarial/training.hpp"

namespace nw::app {

/// What to train on these points in this space. Throws InvalidArgument for options that do not fit.
[[nodiscard]] ClusterTask make_task(const ClusteringOptions& options, const io::PointSet& points,
                                    const FeatureSpace& space, std::size_t k);

}  // namespace nw::app
