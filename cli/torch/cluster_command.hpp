// From the arguments of `nw cluster --method nw` to a task.
#pragma once

#include "app/clustering/adversarial/training.hpp"
#include "cli/cluster/arguments.hpp"
#include "cli/cluster/clusters.hpp"

namespace nw::cli {

/// What to train on these points in this space.
[[nodiscard]] app::ClusterTask cluster_task(const ClusterArguments& arguments,
                                            const io::PointSet& points, const FeatureSpace& space,
                                            std::size_t k);

/// The outcome as all methods report theirs.
[[nodiscard]] Clusters clusters_of(const app::ClusterOutcome& outcome);

}  // namespace nw::cli
