// Private: training a classifier from tensors, and what is known of it afterwards. The application
// and the tables of experiments share it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/adapt_game.hpp"
#include "nw/adapt/label_shift.hpp"
#include "nw/record/adaptation_results.hpp"
#include "nw/record/run_record.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/training_loop.hpp"

namespace nw::app {

/// One classifier to be adapted.
struct AdaptTask {
  adapt::AdaptOptions options;
  adapt::DomainRows source, target;
  std::vector<std::int64_t> source_class;
  std::uint64_t seed = 0;
  torch::Device device = torch::kCPU;
  run::RunDirectory* directory = nullptr;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times
  train::LoopObserver observer = {};
  /// What another classifier said of the target: log and progress say how far this one agrees.
  const adapt::Prediction* other = nullptr;
};

/// In a team, those that do not lead get `loop` and `game` alone.
struct AdaptOutcome {
  train::LoopResult loop;
  std::unique_ptr<adapt::AdaptGame> game;
  adapt::Prediction target;             ///< of all target rows
  std::vector<double> pi;               ///< estimated target proportions
  std::string pi_origin;                ///< where they come from
  adapt::ProportionIntervals interval;  ///< 95 %
  std::vector<double> confused;         ///< proportions from confusions of held-out source rows
  std::vector<double> prior;            ///< the classifier's
  double source_accuracy = 0.0;         ///< on held-out source rows
  double consistency = 0.0;             ///< 1 - total variation of pi and predicted shares
  double confidence = 0.0;              ///< mean probability of the predicted class
  std::vector<record::Series> series;   ///< of the log
};

[[nodiscard]] AdaptOutcome train_classifier(AdaptTask task);

/// The source rows that training keeps apart.
[[nodiscard]] adapt::Holdout holdout_of(const std::vector<std::int64_t>& source_class,
                                        std::size_t classes, std::uint64_t seed);

/// The share of each predicted class.
[[nodiscard]] std::vector<double> predicted_shares(const std::vector<std::int64_t>& predicted,
                                                   std::size_t classes);

/// Mean over classes of |a_j - b_j|.
[[nodiscard]] double mean_absolute_error(const std::vector<double>& a,
                                         const std::vector<double>& b);

/// Scores as a record keeps them.
[[nodiscard]] record::ClassScores summary_of(const adapt::Scores& scores);

}  // namespace nw::app
