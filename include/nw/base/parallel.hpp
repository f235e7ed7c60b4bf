// Loops over threads that sleep between calls.
#pragma once

#include <cstddef>
#include <functional>

namespace nw {

/// Threads to use for a request of `requested`: 0 means every core this process may run on.
[[nodiscard]] int resolve_threads(int requested);

/// Calls body(begin, end, worker) for consecutive ranges of at most `grain` indices that cover
/// [0, count). Ranges go to whichever worker is free, so a body must not let its result depend on
/// `worker` (in [0, threads)), which is there to choose scratch memory. Runs on the calling thread
/// alone when threads is 1, when there is a single range, or inside another parallel_for.
/// The first exception a body throws is rethrown here after all workers have stopped.
///
/// Workers are our own rather than OpenMP's because those spin after a loop, which triples the
/// time of small solves on a loaded machine.
void parallel_for(int threads, std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end, int worker)>& body);

}  // namespace nw
