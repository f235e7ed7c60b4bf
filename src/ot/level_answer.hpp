// From a solved level to a TransportResult.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/stopwatch.hpp"
#include "nw/ot/exact.hpp"

#include "ot/level_solver.hpp"

namespace nw::ot {

/// Counts levels and turns the caller's observer into the question the simplex asks. The options
/// must outlive it.
struct Progress {
  PivotBudget budget;
  ExactProgress state;
  Stopwatch watch;  ///< for the history; it decides nothing
  std::vector<BoundsInTime> history;

  Progress(const ExactOptions& options, int levels);
  /// Remembers bounds in the user's units; whether they are as near as wanted (0: never).
  [[nodiscard]] bool note(double cost, double dual_objective, double wanted_gap);

  Progress(const Progress&) = delete;  // the budget refers to `state`
  Progress& operator=(const Progress&) = delete;
};

/// Plan, objectives and termination of a level, in its own units of cost, with plan entries named
/// by `source_rows` and `target_rows`. Potentials are left to the caller.
[[nodiscard]] TransportResult make_answer(const LevelResult& level, std::int64_t total_mass,
                                          std::span<const std::int64_t> supply,
                                          std::span<const std::int64_t> demand,
                                          std::span<const std::uint32_t> source_rows,
                                          std::span<const std::uint32_t> target_rows);

}  // namespace nw::ot
