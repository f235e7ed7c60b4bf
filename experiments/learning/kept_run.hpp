// Training runs of a table that are kept, each in a folder of its own: what is finished is read
// back, what was stopped goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/run/run_directory.hpp"

#include "experiments/case_table.hpp"
#include "io/json_value.hpp"

namespace nw::experiments {

/// The folder of a run below `runs`; nothing without `runs`.
[[nodiscard]] std::string kept_folder(const ExperimentSettings& settings, const std::string& name,
                                      std::uint64_t seed);

/// One process at a time works on a run: nothing when another one does.
[[nodiscard]] std::optional<run::RunDirectory> open_kept_run(const std::string& folder,
                                                             const Json& config);

/// What a finished run contributed, by the scores that it kept.
[[nodiscard]] CaseOutcome kept_outcome(const run::RunDirectory& directory);

}  // namespace nw::experiments
