// The little of CUDA that kernels use, on threads of the CPU: shows that their sums are right and
// that they wait for each other where they must. Says nothing about speed.
#pragma once

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

using cudaError_t = int;
using cudaStream_t = void*;

struct alignas(16) float4 {
  float x, y, z, w;
};
struct Index {
  int x = 0;
};
inline thread_local Index threadIdx, blockIdx;
inline Index blockDim, gridDim;

#define __device__
#define __host__
#define __global__
#define __shared__
#define __launch_bounds__(threads, blocks)

namespace cpu_threads {

inline constexpr int kWarp = 32;
inline std::unique_ptr<std::barrier<>> block;
inline std::vector<std::unique_ptr<std::barrier<>>> warps;
inline std::vector<float> exchanged;

/// Runs `kernel` for every thread of every block, one block after the other.
template <typename Kernel>
void launch(int blocks, int threads, const Kernel& kernel) {
  gridDim.x = blocks;
  blockDim.x = threads;
  for (int b = 0; b < blocks; ++b) {
    block = std::make_unique<std::barrier<>>(threads);
    warps.clear();
    for (int w = 0; w < threads / kWarp; ++w) {
      warps.push_back(std::make_unique<std::barrier<>>(kWarp));
    }
    exchanged.assign(static_cast<std::size_t>(threads), 0.0F);
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t) {
      pool.emplace_back([&kernel, b, t] {
        blockIdx.x = b;
        threadIdx.x = t;
        kernel();
      });
    }
    for (auto& thread : pool) thread.join();
  }
}

}  // namespace cpu_threads

inline void __syncthreads() {
  cpu_threads::block->arrive_and_wait();
}

inline float __shfl_xor_sync(unsigned, float value, int step) {
  const auto own = static_cast<std::size_t>(threadIdx.x);
  auto& warp = *cpu_threads::warps[own / cpu_threads::kWarp];
  cpu_threads::exchanged[own] = value;
  warp.arrive_and_wait();
  const float other = cpu_threads::exchanged[own ^ static_cast<std::size_t>(step)];
  warp.arrive_and_wait();
  return other;
}
