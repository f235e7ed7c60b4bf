// Tables whose cells are training runs: every case with every seed, each kept in a folder of its
// own.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nw/run/run_directory.hpp"

#include "experiments/experiment.hpp"
#include "io/json_value.hpp"

namespace nw::experiments {

enum class CaseEnd { done, interrupted, elsewhere };

/// What one run contributes.
struct CaseOutcome {
  CaseEnd end = CaseEnd::interrupted;
  std::vector<std::pair<std::string, double>> scores = {};  ///< metric and value
  record::RunRecord record = {};
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

/// The cases in whose names the words of --only stand in that order; all when there are none.
/// Throws InvalidArgument naming the cases when there is no such one.
[[nodiscard]] std::vector<std::size_t> chosen_cases(const CaseTable& table,
                                                    const std::string& only);

/// Runs these cases of the table; rows hold the seeds that are done.
void run_cases(const CaseTable& table, std::span<const std::size_t> cases,
               const ExperimentSettings& settings, ExperimentResult& experiment);

/// The same for the cases that the words of `settings.only` choose.
void run_case_table(const CaseTable& table, const ExperimentSettings& settings,
                    ExperimentResult& experiment);

/// The folder of a run below --runs; nothing without --runs.
[[nodiscard]] std::string kept_folder(const ExperimentSettings& settings, const std::string& name,
                                      std::uint64_t seed);

/// One process at a time works on a run: nothing when another one does.
[[nodiscard]] std::optional<run::RunDirectory> open_kept_run(const std::string& folder,
                                                             const Json& config);

/// What a finished run contributed, by the scores that it kept.
[[nodiscard]] CaseOutcome kept_outcome(const run::RunDirectory& directory);

}  // namespace nw::experiments
