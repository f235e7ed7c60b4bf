// Private: work over fixed blocks of rows, so that results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include <ATen/Parallel.h>
#include <torch/types.h>

namespace nw::nn {

/// Rows of one block. Their activations stay in the cache of a core for layers of a few hundred.
inline constexpr std::int64_t kBlockRows = 256;
/// Blocks are dealt out to lanes; a lane is done by one thread, in order, and lanes are added up in
/// order.
inline constexpr std::int64_t kMaxLanes = 16;

[[nodiscard]] inline std::int64_t block_count(std::int64_t rows) {
  return (rows + kBlockRows - 1) / kBlockRows;
}

[[nodiscard]] inline std::int64_t lane_count(std::int64_t blocks) {
  return std::clamp<std::int64_t>(blocks, 1, kMaxLanes);
}

/// Calls body(lane) for all lanes, which work on tensors of `device`. On a CPU, tensor operations
/// inside run on one thread each.
inline void for_each_lane(std::int64_t lanes, const torch::Device& device,
                          const std::function<void(std::int64_t)>& body) {
  if (!device.is_cpu()) {
    // The stream that a GPU works on, and so the graph that is being recorded, is this thread's.
    for (std::int64_t lane = 0; lane < lanes; ++lane) body(lane);
    return;
  }
  // A single lane would run outside the parallel region, where operations use all threads and
  // their results depend on how many there are. Hence the idle one beside it.
  at::parallel_for(0, std::max<std::int64_t>(lanes, 2), 1,
                   [&](std::int64_t first, std::int64_t last) {
                     for (std::int64_t lane = first; lane < std::min(last, lanes); ++lane) {
                       body(lane);
                     }
                   });
}

}  // namespace nw::nn
