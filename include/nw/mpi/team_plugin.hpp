// What the command finds in the module nw_mpi, which it loads in a job of several processes.
#pragma once

#include "nw/base/team.hpp"

namespace nw::mpi {

/// Asked while waiting for others; a launcher's signal raises the flag behind it.
using StopRequested = bool (*)();

inline constexpr const char* kMakeTeam = "nw_make_team";
using MakeTeam = Team* (*)(StopRequested);

}  // namespace nw::mpi
