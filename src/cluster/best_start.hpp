// Private: clustering from several starts.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "nw/base/rng.hpp"

namespace nw::cluster {

template <typename Start>
struct BestStart {
  Start start = {};
  bool interrupted = false;
};

/// The start of least `cost`, the first of equals, among those that `run` makes, each from a stream
/// of its own. `observer` hears the share done before each; after the first one it may stop.
template <typename Run, typename Cost>
[[nodiscard]] auto best_start(int restarts, const std::function<bool(double)>& observer,
                              const Rng& rng, const Run& run, const Cost& cost) {
  BestStart<std::invoke_result_t<Run, Rng>> best;
  for (int r = 0; r < restarts; ++r) {
    if (observer && !observer(static_cast<double>(r) / restarts) && r > 0) {
      best.interrupted = true;
      break;
    }
    auto start = run(rng.split(static_cast<std::uint64_t>(r)));
    if (r == 0 || std::invoke(cost, start) < std::invoke(cost, best.start)) {
      best.start = std::move(start);
    }
  }
  return best;
}

}  // namespace nw::cluster
