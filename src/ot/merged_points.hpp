// Points that coincide, treated as one: their masses add up, and a plan for the merged clouds is
// split again. Clouds with many copies of a point (counts, defaults, zeros) make a simplex tie at
// every pivot; merged, they are smaller and no longer degenerate.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/ot/problem.hpp"

namespace nw::ot {

/// One cloud with copies merged.
struct MergedCloud {
  Matrix points;                      ///< [groups, d], in the order of their first copies
  std::vector<double> weights;        ///< [groups], sums over the copies
  std::vector<std::uint32_t> group;   ///< [n], where each point went
  std::vector<double> point_weights;  ///< [n], of total one
};

struct MergedProblem {
  MergedCloud source, target;
  GroundCost cost = GroundCost::euclidean;

  [[nodiscard]] PointProblem view() const;
  /// The answer of the given problem from that of the merged one.
  [[nodiscard]] TransportResult expand(const TransportResult& merged) const;
  /// A warm start of the given problem as one of the merged.
  [[nodiscard]] TransportResult contract(const TransportResult& given) const;
};

/// Nothing when too few points coincide for merging to pay.
[[nodiscard]] std::optional<MergedProblem> merge_copies(const PointProblem& problem);

}  // namespace nw::ot
