// Private: pairs of a component that is gone and one that is new which may be one group.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/measure/compare.hpp"

namespace nw::measure {

/// Pairs a component that is gone with a new one where each is the other's nearest neighbour among
/// all components that hold a tenth of the pair's share or more, their centres lie within
/// 6 deviations, and the new share is between half and twice the old one. A hint, not a test:
/// nothing in the data tells a group that moved from one that left while another one came.
/// `column_of` as in CompareOptions. Statuses must be set.
[[nodiscard]] std::vector<PossibleMove> find_possible_moves(
    const std::vector<ComponentChange>& components, const Mixture& mixture,
    const std::vector<std::uint32_t>& column_of);

}  // namespace nw::measure
