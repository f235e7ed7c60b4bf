// One cell of a table of adaptation: a classifier trained on one pair of domains, kept and scored.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "nw/adapt/adapt_options.hpp"

#include "app/adaptation/judge_outcome.hpp"
#include "experiments/case_table.hpp"
#include "experiments/learning/mnistm_domains.hpp"

namespace nw::experiments {

struct AdaptationCase {
  std::string name;   ///< of the case in its table
  std::string title;  ///< of its page
  adapt::Recipe recipe = adapt::Recipe::best;
  adapt::AdaptOptions options = {};
  std::string source_name, target_name;
  std::size_t source_columns = 0, target_columns = 0;  ///< pixels times channels, as published
  std::optional<double> paper = {};                    ///< the paper's accuracy, per cent
  bool guarded = false;                                ///< judged as `nw adapt` judges method auto
};

/// A classifier and, where it was guarded, what became of it.
struct GuardedOutcome {
  app::AdaptOutcome used;  ///< without a game where training was interrupted
  std::optional<app::Judgement> judged = {};
};

/// Trains the classifier of a task, and judges it by one without adaptation where it is guarded.
[[nodiscard]] GuardedOutcome train_guarded(app::AdaptTask task, bool guarded,
                                           const adapt::Classes& classes,
                                           const std::vector<std::int64_t>& target_class);

/// The scores that a guarded run adds to those of its table.
void add_guarded_scores(const record::AdaptationSummary& result, CaseOutcome& outcome);

/// Trains, or reads what the run of this name and seed has kept. Accuracy is that of the rows of
/// `domains.test`, or of the target's where there are none.
[[nodiscard]] CaseOutcome run_adaptation_case(const AdaptationCase& which, DigitDomains domains,
                                              std::uint64_t seed,
                                              const ExperimentSettings& settings,
                                              const std::function<bool(double)>& progress);

/// What the metrics of such a case mean, for the notes of a table.
[[nodiscard]] std::vector<std::string> adaptation_metric_notes();

}  // namespace nw::experiments
