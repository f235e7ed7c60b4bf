// Private: which memberships the neighbours confirm.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/working_data.hpp"

namespace nw::measure {

/// Membership of rows that belong to no component for certain.
inline constexpr std::uint32_t kNobody = 0xffffffffu;

/// Sets to kNobody the membership of every row that its nearest neighbours, among all samples
/// together, do not confirm. Neighbours vote and vote again until nothing changes; a row stays when
/// its membership won and three quarters of its neighbours have the same (compare Wilson 1972,
/// "editing").
///
/// A posterior from a family that fits roughly puts outlying members of a narrow component into a
/// wide one. They are few, but few of many in one sample and few of few in the other, so that the
/// wide component seems to have changed. Their neighbours tell: they are members of the narrow one.
/// Whether a row stays depends on its place and its membership, not on the sample it came from, so
/// rows of X and Y that stay are exchangeable within components whenever all were.
void drop_unsupported(const std::vector<Sample>& samples, std::size_t components, int threads,
                      std::vector<std::vector<std::uint32_t>>& member);

}  // namespace nw::measure
