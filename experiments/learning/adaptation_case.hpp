// One cell of a table of adaptation: a classifier trained on one pair of domains, kept and scored.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "nw/adapt/adapt_options.hpp"

#include "experiments/learning/case_table.hpp"
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
};

/// Trains, or reads what the run of this name and seed has kept. Accuracy is that of the rows of
/// `domains.test`, or of the target's where there are none.
[[nodiscard]] CaseOutcome run_adaptation_case(const AdaptationCase& which, DigitDomains domains,
                                              std::uint64_t seed,
                                              const ExperimentSettings& settings,
                                              const std::function<bool(double)>& progress);

/// What the metrics of such a case mean, for the notes of a table.
[[nodiscard]] std::vector<std::string> adaptation_metric_notes();

}  // namespace nw::experiments
