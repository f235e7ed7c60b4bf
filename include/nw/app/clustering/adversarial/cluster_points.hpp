// Clusters of points in memory by any method, the mixture GAN of the paper among them, kept in a
// run directory where one is given.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "nw/app/clustering/cluster.hpp"
#include "nw/app/learning/run_folder.hpp"
#include "nw/base/team.hpp"

namespace nw::app {

/// What a clustering is besides its numbers.
struct ClusteringRun {
  RunFolder folder = {};       ///< method nw: keeps every start, the model and the result
  ClusteringFiles files = {};  ///< as the record names them
  /// Method nw without `folder`: keeps the starts alone, for a run that the caller keeps there.
  std::filesystem::path starts = {};
  Team* team = nullptr;  ///< processes that share the work of the method nw
};

/// Clusters by the method of the options; for `automatic`, choose_method says which one. The
/// processes of a team all call this; the first one alone writes and reports. Throws
/// InvalidArgument for options that do not fit the points, IoError for a run directory that cannot
/// be used.
[[nodiscard]] Clustering cluster_points(const io::PointSet& points,
                                        const ClusteringOptions& options,
                                        const ProgressObserver& observer = {},
                                        const ClusteringRun& run = {});

/// A model of any method from its bytes. Throws IoError that starts with `source`.
[[nodiscard]] std::shared_ptr<const ClusterModel> any_cluster_model_from_bytes(
    const std::string& bytes, const std::string& source = "model");

/// The model of a finished run: RUN/model.safetensors. Throws IoError.
[[nodiscard]] std::shared_ptr<const ClusterModel> load_cluster_model(
    const std::filesystem::path& run);

}  // namespace nw::app
