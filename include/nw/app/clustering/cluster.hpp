// Clusters with their record, by every method that needs no LibTorch, and what all methods add to a
// record for people: the hierarchy, a drawing, names and units of columns.
#pragma once

#include <string>

#include "nw/app/clustering/find_clusters.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

struct Clustering {
  ClusteringResult result = {};
  record::RunRecord record = {};  ///< drawn for the method nw; empty where `result` has no clusters
  /// The run directory of the method nw held a finished run: `record` is its result, the model is
  /// read back, and nothing was computed.
  bool finished_before = false;
};

/// Clusters by any method but nw, as find_clusters does, and their record without its drawing.
[[nodiscard]] Clustering cluster_without_learning(const io::PointSet& points,
                                                  const ClusteringOptions& options,
                                                  const ProgressObserver& observer = {},
                                                  const ClusteringFiles& files = {});

/// What is made of clusters besides their numbers.
struct ClusteringExtras {
  std::string tree = {};  ///< file for the hierarchy of the points; empty: none
  bool figure = false;    ///< draw points and clusters, where the record has no drawing yet
};

/// Completes the record of clusters of `data.x`: extras, then columns, names and units of tables.
/// Throws InvalidArgument and IoError as write_tree does.
void complete_clustering(const table::Inputs& data, const ClusteringOptions& options,
                         const ClusteringExtras& extras, Clustering& clustering);

}  // namespace nw::app
