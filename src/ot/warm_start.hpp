// An earlier result in the numbering and units of the exact solver.
#pragma once

#include <vector>

#include "nw/ot/problem.hpp"

#include "ot/cost_model.hpp"
#include "ot/normalized_clouds.hpp"

namespace nw::ot {

struct WarmStart {
  /// Whether the masses are near those of the earlier result. If not, mass may have to move between
  /// far parts of the clouds, whose potentials then differ by an unknown amount: coarse levels find
  /// that out faster than pivots, and nothing else is kept.
  bool usable = false;
  std::vector<double> target_potential;
  /// Of the earlier plan, leaves of its forest first: serving them in this order gives the earlier
  /// flows when the masses are the same, and nearly those when they are near.
  std::vector<Arc> arcs;
};

/// Throws InvalidArgument unless `earlier` is of this size.
void check_warm_start(const TransportResult& earlier, std::size_t sources, std::size_t targets);

/// Nothing when `earlier` is null. REQUIRES: check_warm_start() passed.
[[nodiscard]] WarmStart load_warm_start(const TransportResult* earlier,
                                        const NormalizedClouds& clouds, GroundCost cost);

}  // namespace nw::ot
