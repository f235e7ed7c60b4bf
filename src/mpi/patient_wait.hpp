// Private: waiting for other processes, until a launcher says that there is nothing to wait for.
#pragma once

#include <chrono>
#include <thread>

#include "nw/mpi/team_plugin.hpp"

namespace nw::mpi {

/// Looks until done() is true, eagerly at first and with naps later. A launcher that lost one
/// process tells the others to stop and ends them a while later: throws TeamLost before that.
template <typename Done>
void wait_patiently(StopRequested stop_requested, const Done& done) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::milliseconds(300);
  constexpr int kEagerLooks = 2000;
  constexpr auto kNap = std::chrono::microseconds(50);
  Clock::time_point told{};
  for (int look = 0; !done(); ++look) {
    if (look > kEagerLooks) std::this_thread::sleep_for(kNap);
    if (stop_requested == nullptr || !stop_requested()) continue;
    if (told == Clock::time_point{}) told = Clock::now();
    if (Clock::now() - told > kPatience) {
      throw TeamLost("another process of this job is gone or was stopped");
    }
  }
}

}  // namespace nw::mpi
