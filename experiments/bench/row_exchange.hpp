// Rows of a benchmark that the processes of a job have measured, one each.
#pragma once

#include <optional>
#include <vector>

#include "nw/base/team.hpp"

#include "experiments/bench/ot_bench.hpp"

namespace nw::experiments {

/// The rows of all processes, by rank; those that measured none have no part in it. Without a team,
/// one's own.
[[nodiscard]] std::vector<BenchRow> rows_of_all(Team* team, const std::optional<BenchRow>& mine);

}  // namespace nw::experiments
