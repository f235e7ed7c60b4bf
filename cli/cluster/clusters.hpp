// Clusters as every method of `nw cluster` reports them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/cluster/agreement.hpp"
#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

#include "cli/cluster/arguments.hpp"
#include "cli/cluster/feature_space.hpp"

namespace nw::cli {

/// What all methods have in common.
struct Clusters {
  std::vector<double> pi;                          ///< [k], largest first
  std::vector<record::Interval> pi_interval = {};  ///< [k], where the method has them
  std::vector<std::uint32_t> assignment;           ///< [n]
  std::vector<double> confidence = {};             ///< [n], where the method has one
  Matrix centres = {};                             ///< [k, q] in the space that was clustered
  std::vector<Matrix> covariances = {};            ///< [k] of [q, q], where the method has them
  std::string criterion = {};                      ///< name of what the method optimises
  double value = 0.0;
  int iterations = 0;
  bool converged = false, interrupted = false;
};

/// By k-means, a mixture of Gaussians or equilibrium k-means. The observer hears of the share done
/// and may stop the work by returning false.
[[nodiscard]] Clusters find_clusters(const ClusterArguments& arguments,
                                     const ot::WeightedPoints& data, std::size_t k,
                                     const std::function<bool(double)>& observer);

/// The means of the members of each cluster: [k, d]. Empty clusters have zeros.
[[nodiscard]] Matrix member_means(MatrixView rows, std::span<const std::uint32_t> assignment,
                                  std::size_t k);

/// One line per point, in the order of the data.
void write_assignments(const std::string& file, const Clusters& clusters);

/// Purity, NMI and ARI where the points have classes.
[[nodiscard]] std::optional<cluster::Agreement> score(const io::PointSet& points,
                                                      const Clusters& clusters);

/// Fills a record with what was found.
void tell(const ClusterArguments& arguments, const io::PointSet& points, const FeatureSpace& space,
          const Clusters& clusters, record::RunRecord& record);

/// Draws points and clusters where they lie, and members of each cluster where they are images.
void draw(const io::PointSet& points, const FeatureSpace& space, const Clusters& clusters,
          record::RunRecord& record);

/// Prints the record's story.
void print_clusters(const CommonOptions& common, const record::RunRecord& record);

}  // namespace nw::cli
