// Bytes of one process for all of a team.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/team.hpp"

namespace nw {

/// Everyone gets the bytes that the process of this rank has, however many.
void share_from(Team& team, int owner, std::vector<std::byte>& bytes);

}  // namespace nw
