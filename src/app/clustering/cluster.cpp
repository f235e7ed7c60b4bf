#include "nw/app/clustering/cluster.hpp"

#include "nw/base/stopwatch.hpp"

#include "app/compare/data_units.hpp"

namespace nw::app {

Clustering cluster_without_learning(const io::PointSet& points, const ClusteringOptions& options,
                                    const ProgressObserver& observer,
                                    const ClusteringFiles& files) {
  const Stopwatch clock;
  Clustering clustering{.result = find_clusters(points, options, observer)};
  if (clustering.result.pi.empty()) return clustering;
  clustering.record = clustering_record(points, options, clustering.result, files);
  clustering.record.seconds = clock.seconds();
  return clustering;
}

void complete_clustering(const table::Inputs& data, const ClusteringOptions& options,
                         const ClusteringExtras& extras, Clustering& clustering) {
  auto& [result, record, finished_before] = clustering;
  if (!finished_before) {
    if (!extras.tree.empty()) write_tree(extras.tree, data.x, options);
    if (extras.figure && !record.figure) draw_clusters(data.x, result, record);
  }
  complete_record(data, record);
}

}  // namespace nw::app
