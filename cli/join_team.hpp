// Several processes started as one job, by mpirun, mpiexec, srun or torchrun.
#pragma once

#include "nw/base/team.hpp"

namespace nw::cli {

/// The team this process was started in, or null when it is alone. Joins at the first call; later
/// ones give the same team. Throws InvalidArgument when there are others but no module to reach
/// them.
[[nodiscard]] Team* join_team();

/// Parts with the others, where this process joined any. For the end of a command: destructors that
/// run after main are too late for a team that works on GPUs, which are gone by then.
void leave_team();

}  // namespace nw::cli
