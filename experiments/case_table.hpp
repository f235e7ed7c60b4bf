// Tables whose rows are cases, each run with every seed.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.hpp"

namespace nw::experiments {

enum class CaseEnd { done, interrupted, elsewhere };

/// What one run contributes.
struct CaseOutcome {
  CaseEnd end = CaseEnd::interrupted;
  std::vector<std::pair<std::string, double>> scores = {};  ///< metric and value
  record::RunRecord record = {};  ///< its page; without a title there is none
};

struct CaseTable {
  std::vector<std::string> names;  ///< of the cases
  /// `progress` takes the share of this run that is done; false asks to stop.
  std::function<CaseOutcome(std::size_t which, std::uint64_t seed,
                            const std::function<bool(double)>& progress)>
      run;
  /// The paper's number for a case and a metric.
  std::function<std::optional<double>(std::size_t which, const std::string& metric)> paper = {};
};

/// The case of the name `only`; else those in whose names its words stand in that order, all when
/// it has none.
/// Throws InvalidArgument naming the cases when there is no such one.
[[nodiscard]] std::vector<std::size_t> chosen_cases(const CaseTable& table,
                                                    const std::string& only);

/// Runs these cases of the table; rows hold the seeds that are done.
void run_cases(const CaseTable& table, std::span<const std::size_t> cases,
               const ExperimentSettings& settings, ExperimentResult& experiment);

/// The same for the cases that the words of `settings.only` choose.
void run_case_table(const CaseTable& table, const ExperimentSettings& settings,
                    ExperimentResult& experiment);

}  // namespace nw::experiments
