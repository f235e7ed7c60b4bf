// Methods of clustering side by side on labelled points, for the tables of the paper.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "nw/app/clustering/find_clusters.hpp"

#include "experiments/case_table.hpp"
#include "experiments/experiment.hpp"

namespace nw::experiments {

/// One line of a table.
struct ClusteringMethod {
  std::string name;
  ClusterMethod method = ClusterMethod::nw;
  Features features = Features::none;
  ClusterRecipe recipe = ClusterRecipe::best;
  measure::Shape shape = measure::Shape::full;
  std::size_t principal = 0;  ///< leading principal components to work on; 0: all coordinates
  std::optional<int> restarts = std::nullopt;
  std::optional<std::int64_t> steps = std::nullopt;  ///< of NW; the recipe's by default
};

struct ClusteringScores {
  double purity = 0.0, nmi = 0.0, ari = 0.0;
  double pi_error = 0.0;  ///< largest difference from the true shares, clusters matched to classes
  double seconds = 0.0;
};

/// One method on one data set with one seed.
struct MethodRun {
  const ClusteringMethod& method;
  const io::PointSet& points;  ///< with labels
  std::uint64_t seed = 0;
  const ExperimentSettings& settings;
  std::string folder = {};  ///< keeps the run; empty: nowhere
  std::function<bool(double)> progress;
};

struct MethodResult {
  CaseEnd end = CaseEnd::interrupted;
  ClusteringScores scores = {};
  record::RunRecord record = {};
};

/// Clusters the points into as many clusters as there are classes; the labels score the result and
/// are used for nothing else. A run that is finished in its folder is read back, a stopped one goes
/// on.
[[nodiscard]] MethodResult run_method(const MethodRun& run);

/// Largest difference between shares of clusters and of classes under the matching of the two in
/// which most points agree. At most 8 clusters.
[[nodiscard]] double share_error(const std::vector<double>& pi,
                                 std::span<const std::uint32_t> assignment,
                                 std::span<const std::int32_t> classes);

}  // namespace nw::experiments
