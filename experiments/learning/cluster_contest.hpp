// Methods of clustering side by side on labelled points, for the tables of the paper.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/cluster/clusters.hpp"
#include "experiments/experiment.hpp"

namespace nw::experiments {

using namespace cli;

/// One line of a table.
struct ClusterContestant {
  std::string name;
  ClusterMethod method = ClusterMethod::nw;
  Features features = Features::none;
  ClusterRecipe recipe = ClusterRecipe::best;
  measure::Shape shape = measure::Shape::full;
  std::size_t principal = 0;  ///< leading principal components to work on; 0: all coordinates
  std::optional<int> restarts = std::nullopt;
  std::optional<std::int64_t> steps = std::nullopt;  ///< of NW; the recipe's by default
};

struct ClusterScore {
  double purity = 0.0, nmi = 0.0, ari = 0.0;
  double pi_error = 0.0;  ///< largest difference from the true shares, clusters matched to classes
  double seconds = 0.0;
};

enum class ContestEnd { done, interrupted, elsewhere };

struct ContestResult {
  ContestEnd end = ContestEnd::interrupted;
  ClusterScore score = {};
  record::RunRecord record = {};
};

/// Clusters `points`, which have labels, into as many clusters as there are classes; the labels
/// score the result and are used for nothing else. With `folder` the run is kept there: a finished
/// one is read back, a stopped one goes on.
[[nodiscard]] ContestResult contest(const ClusterContestant& who, const io::PointSet& points,
                                    std::uint64_t seed, const ExperimentSettings& settings,
                                    const std::string& folder,
                                    const std::function<bool(double)>& progress);

/// Largest difference between shares of clusters and of classes under the matching of the two in
/// which most points agree. At most 8 clusters.
[[nodiscard]] double share_error(const std::vector<double>& pi,
                                 std::span<const std::uint32_t> assignment,
                                 std::span<const std::int32_t> classes);

}  // namespace nw::experiments
