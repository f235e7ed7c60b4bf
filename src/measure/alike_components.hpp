// Private: components that a reader may take for one member.
#pragma once

#include <cstddef>
#include <vector>

#include "measure/shared_em.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// Components of both samples, as compare() has described them.
struct DescribedComponents {
  const std::vector<Sample>& samples;
  const SharedModel& model;
  const std::vector<double>&pi_x, &pi_y;
  const std::vector<bool>& shared;  ///< in both samples, and members that do not differ
};

/// Every component in exactly one group, groups by their first component. Shared components are
/// joined pair by pair, those first of which the largest part would be taken for the other, while
/// that part is at least a twentieth and the shares of both changed by the same factor as far as
/// these rows tell.
[[nodiscard]] std::vector<std::vector<std::size_t>> join_alike(
    const DescribedComponents& components, double ridge);

}  // namespace nw::measure
