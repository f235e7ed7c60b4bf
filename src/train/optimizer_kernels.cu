// The formulas of optimizer.cpp, element by element.
#include "train/optimizer_kernels.hpp"

namespace nw::train {
namespace {

constexpr int kThreads = 256;

unsigned blocks(std::int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__global__ void rmsprop(RmspropUpdate u) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= u.count) return;
  const float g = u.gradient[i];
  const float second = u.alpha * u.second[i] + (1.0f - u.alpha) * g * g;
  u.second[i] = second;
  u.parameters[i] -= *u.rate * g / (sqrtf(second) + u.epsilon);
}

__global__ void adam(AdamUpdate u) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= u.count) return;
  const float g = u.gradient[i];
  const float first = u.first[i] + (1.0f - u.beta1) * (g - u.first[i]);
  const float second = u.beta2 * u.second[i] + (1.0f - u.beta2) * g * g;
  u.first[i] = first;
  u.second[i] = second;
  const float rate = *u.rate / static_cast<float>(1.0 - *u.power1);
  const float root = sqrtf(second / static_cast<float>(1.0 - *u.power2));
  u.parameters[i] -= first * rate / (root + u.epsilon);
}

}  // namespace

cudaError_t rmsprop_update(const RmspropUpdate& update, cudaStream_t stream) {
  rmsprop<<<blocks(update.count), kThreads, 0, stream>>>(update);
  return cudaGetLastError();
}

cudaError_t adam_update(const AdamUpdate& update, cudaStream_t stream) {
  adam<<<blocks(update.count), kThreads, 0, stream>>>(update);
  return cudaGetLastError();
}

}  // namespace nw::train
