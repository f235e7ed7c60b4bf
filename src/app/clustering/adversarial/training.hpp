// Adversarial clustering [NW:reg], [NW:assign]: several starts of a regularised NWGAN, the choice
// among them without labels, and the assignment of rows.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "nw/app/clustering/options.hpp"
#include "nw/base/progress.hpp"
#include "nw/gan/gan_options.hpp"
#include "nw/gan/inversion.hpp"
#include "nw/record/run_record.hpp"
#include "nw/train/training_loop.hpp"

#include "app/clustering/adversarial/affine_mixture.hpp"
#include "io/json_value.hpp"

namespace nw::app {

struct ClusterTask {
  gan::GanOptions options;
  gan::Normalisation normalisation;
  gan::InversionOptions inversion = {};
  ClusterRule rule = ClusterRule::nearest;  ///< not `automatic`
  int starts = 1;
  /// Affine components: where the second start, the third and so on begin; the others begin as the
  /// options say. Moves begin there too.
  std::vector<cluster::WeightedMixture> given_starts = {};
  /// Networks: a first guess at the clusters, one number below k for every row. Each component then
  /// begins as a WGAN that learnt its part for `part_steps` steps. Empty: at random weights.
  std::vector<std::uint32_t> partition = {};
  std::int64_t part_steps = 300;
  /// Affine components: moves that merge two and divide another, after training. 0: none.
  int max_moves = 20;
  /// Affine components: noise around them, of moves (SplitMergeOptions); assignment has its price.
  double noise = cluster::SplitMergeOptions{}.noise;
  std::uint64_t seed = 0;
  std::string device = "auto";
  int threads = 0;
  std::filesystem::path folder = {};  ///< keeps every start in a run of its own; empty: nowhere
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a start
  ProgressObserver observer = {};     ///< false stops after a checkpoint

  /// Reports where a start (from 0) is; false asks to stop.
  [[nodiscard]] bool report(std::size_t start, const train::LoopProgress& at) const;

  /// Processes that share the work, or null.
  [[nodiscard]] Team* team() const { return options.game.team; }
};

/// What the choice among starts rests on; no label is in it.
struct ClusterStart {
  double objective = 0.0;  ///< distance - lambda_reg * diversity
  double distance = 0.0;  ///< W between rows and the mixture; rows that networks did not learn from
  double diversity = 0.0;  ///< R
  std::vector<double> pi;
  std::int64_t steps = 0;
};

struct ClusterOutcome {
  std::vector<ClusterStart> starts;  ///< and, after them, what moves made of them
  std::size_t chosen = 0;
  std::size_t trained = 0;         ///< the start that was trained to there, before moves
  std::vector<std::size_t> order;  ///< [k] component of each cluster, the largest first
  std::vector<double> pi;          ///< [k] in that order
  std::vector<Interval> pi_interval;
  gan::Assignment assignment;  ///< of every row; clusters in that order
  Matrix centres;              ///< [k, d] mean of each component's samples
  std::int64_t steps = 0;      ///< of all starts
  train::LoopEnd end = train::LoopEnd::finished;
  std::vector<std::string> warnings;
  std::unique_ptr<train::Game> game;  ///< that of the start chosen
};

/// Trains every start, chooses and assigns. The processes of a team
/// (options.game.team) share the training and the assignment; the first one alone writes and
/// judges. `rows` are in the space of `normalisation`.
[[nodiscard]] ClusterOutcome train_clusters(MatrixView rows, const ClusterTask& task);

/// The folder of a start (from 0) in a run.
[[nodiscard]] std::filesystem::path start_folder(const std::filesystem::path& run,
                                                 std::size_t start);

/// Everything about the options that decides the numbers of a run.
[[nodiscard]] Json cluster_config(const ClusterTask& task);

/// Clusters in the order of their size instead of components.
void reorder(gan::Assignment& assignment, const std::vector<std::size_t>& order);

}  // namespace nw::app
