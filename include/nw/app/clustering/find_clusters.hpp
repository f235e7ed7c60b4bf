// Clusters of points in memory, by methods that need no LibTorch, and what all methods report.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nw/app/clustering/model.hpp"
#include "nw/app/clustering/options.hpp"
#include "nw/base/progress.hpp"
#include "nw/cluster/agreement.hpp"
#include "nw/cluster/diffusion_map.hpp"
#include "nw/cluster/evidence.hpp"
#include "nw/io/points.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// Where points lie for a clustering method.
struct FeatureSpace {
  std::optional<cluster::DiffusionMap> map = {};  ///< none: the space of the data
  Matrix mapped = {};                             ///< [n, q] where there is a map

  [[nodiscard]] MatrixView of(const io::PointSet& points) const {
    return map ? mapped.view() : points.values.view();
  }
};

/// How the method nw got to its clusters.
struct AdversarialEvidence {
  record::ClusteringTraining training;  ///< starts, the one chosen, the order of components
  int starts = 0;                       ///< that were trained; what follows them moves made
  std::size_t trained = 0;              ///< the start, from 0, that the choice was trained from
  std::int64_t steps = 0;               ///< of each start
  std::string generator = {};           ///< kind of its components
};

/// What the method evidence rests its choice on.
struct ClusterEvidence {
  std::vector<cluster::Candidate> candidates = {};  ///< the winner first
  double margin = 0.0, gaussian = 0.0;              ///< as in cluster::EvidenceResult
  bool mixture_won = false;                         ///< the mixture of Gaussians did, by evidence
  std::optional<double> stability = {};             ///< of that mixture, as there
  std::size_t k_low = 0, k_high = 0;                ///< 0: k was given
};

/// What every method reports.
struct ClusteringResult {
  ClusterMethod method = ClusterMethod::kmeans;
  std::vector<double> pi = {};  ///< [k], largest first; empty: stopped before there were clusters
  std::vector<Interval> pi_interval = {};      ///< [k], where the method has them
  std::vector<std::uint32_t> assignment = {};  ///< [n]
  std::vector<double> confidence = {};         ///< [n], where the method has one
  std::vector<bool> noise = {};                ///< [n], where points were to be set apart
  Matrix centres = {};                         ///< [k, q] in the space that was clustered
  std::vector<Matrix> covariances = {};        ///< [k] of [q, q], where the method has them
  std::string criterion = {};                  ///< name of what the method optimises
  double value = 0.0;                          ///< of the criterion
  int iterations = 0;                          ///< of the winning start; steps of nw
  bool converged = false, interrupted = false;
  FeatureSpace space = {};
  std::optional<measure::ChooseKResult> choice = {};  ///< where k was found by Theorem 1
  std::optional<AdversarialEvidence> learning = {};   ///< of the method nw
  std::optional<ClusterEvidence> evidence = {};       ///< of the method evidence
  std::vector<std::string> warnings = {};
  std::shared_ptr<const ClusterModel> model = {};  ///< null where it stopped before its end

  /// [k, d]: where the clusters lie in the data; means of their members under a map.
  [[nodiscard]] Matrix data_centres(const io::PointSet& points) const;
};

/// The method where none is asked for: nw where the options ask to learn, otherwise what suits the
/// points. `can_learn`: LibTorch is there.
[[nodiscard]] ClusterMethod choose_method(const io::PointSet& points,
                                          const ClusteringOptions& options, bool can_learn);

/// Clusters by any method but nw; `automatic` is what choose_method says without LibTorch.
/// Throws InvalidArgument for the method nw, which cluster_points
/// (nw/app/clustering/adversarial/cluster_points.hpp) has.
[[nodiscard]] ClusteringResult find_clusters(const io::PointSet& points,
                                             const ClusteringOptions& options,
                                             const ProgressObserver& observer = {});

/// Purity, NMI and ARI where the points have classes.
[[nodiscard]] std::optional<cluster::Agreement> agreement_with_classes(
    const io::PointSet& points, const std::vector<std::uint32_t>& assignment);

/// Names of files as a record shows them; all may be empty.
struct ClusteringFiles {
  std::string data = {};         ///< where the points came from
  std::string assignments = {};  ///< where the cluster of each point goes
};

/// The record of a clustering, without its drawing.
[[nodiscard]] record::RunRecord clustering_record(const io::PointSet& points,
                                                  const ClusteringOptions& options,
                                                  const ClusteringResult& result,
                                                  const ClusteringFiles& files = {});

/// Draws points and clusters where they lie, and members of each cluster where they are images.
void draw_clusters(const io::PointSet& points, const ClusteringResult& result,
                   record::RunRecord& record);

/// Evenly spread members of each cluster of images, a line each.
[[nodiscard]] record::Picture draw_members(const io::PointSet& images,
                                           const ClusteringResult& result);

/// CSV with one line per point, in the order of the data: cluster from 1 (0: `noise`, which may be
/// empty), and confidence where the method has one. Throws IoError.
void write_assignments(const std::string& file, const std::vector<std::uint32_t>& assignment,
                       const std::vector<double>& confidence, const std::vector<bool>& noise = {});

/// CSV with the hierarchy of the points by links between near ones (cluster::genie), a merge a line
/// as in the linkage matrices of SciPy: both clusters, distance, size. Distances rise. Throws
/// InvalidArgument for more points than a tree is of use for, IoError.
void write_tree(const std::string& file, const io::PointSet& points,
                const ClusteringOptions& options);

}  // namespace nw::app
