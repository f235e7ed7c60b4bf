// Private: waiting for other processes, until a launcher says that there is nothing to wait for.
#pragma once

#include <chrono>
#include <thread>

#include "nw/mpi/team_plugin.hpp"

namespace nw::mpi {

/// Looks until done() is true, eagerly at first and with naps later: an engine may move a piece of
/// a large message at each look, so that naps would slow it down many times. A launcher that lost
/// one process tells the others to stop and ends them a while later: throws TeamLost before that.
template <typename Done>
void wait_patiently(StopRequested stop_requested, const Done& done) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::milliseconds(300);
  constexpr auto kEager = std::chrono::milliseconds(50);
  constexpr auto kNap = std::chrono::microseconds(50);
  const Clock::time_point begin = Clock::now();
  Clock::time_point first_request{};
  while (!done()) {
    if (Clock::now() - begin > kEager) {
      std::this_thread::sleep_for(kNap);
    } else {
      std::this_thread::yield();  // there may be more processes than cores
    }
    if (stop_requested == nullptr || !stop_requested()) continue;
    if (first_request == Clock::time_point{}) first_request = Clock::now();
    if (Clock::now() - first_request > kPatience) {
      throw TeamLost("another process of this job is gone or was stopped");
    }
  }
}

}  // namespace nw::mpi
