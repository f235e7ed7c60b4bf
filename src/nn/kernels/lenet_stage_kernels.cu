// Starts the kernels of lenet_stage_kernels.inl.
#include <algorithm>

#include "nn/kernels/lenet_stage_kernels.hpp"

extern __shared__ float4 memory[];

#include "nn/kernels/lenet_stage_kernels.inl"

namespace nw::nn {
namespace {

int bytes(int floats) {
  return floats * static_cast<int>(sizeof(float));
}

}  // namespace

int stage_memory(const StageLaunch& s) {
  return bytes(kGroups * group_floats(s.channels) + s.channels * s.height * s.width);
}

cudaError_t stage_values(const StageLaunch& s, cudaStream_t stream) {
  const int blocks = s.rows * (s.outputs / kStageBlockOutputs);
  if (s.channels == kStageGrey) {
    stage_values_kernel<kStageGrey><<<blocks, kStageThreads, stage_memory(s), stream>>>(s);
  } else {
    stage_values_kernel<kStageColour><<<blocks, kStageThreads, stage_memory(s), stream>>>(s);
  }
  return cudaGetLastError();
}

int stage_gradient_memory(const StageGradientLaunch& s) {
  const int sums = (s.channels * kFilter + 1) * kStageGradientOutputs;
  return bytes(std::max(s.channels * s.height * s.width, sums));
}

cudaError_t stage_gradient(const StageGradientLaunch& s, cudaStream_t stream) {
  const int blocks = s.blocks * (s.outputs / kStageGradientOutputs);
  const int needed = stage_gradient_memory(s);
  if (s.channels == kStageGrey) {
    stage_gradient_kernel<kStageGrey><<<blocks, kGradientThreads, needed, stream>>>(s);
  } else {
    stage_gradient_kernel<kStageColour><<<blocks, kGradientThreads, needed, stream>>>(s);
  }
  const int columns = s.outputs * (s.channels * kFilter + 1);
  add_rows_kernel<<<(columns + kSumColumns - 1) / kSumColumns, kSumThreads, bytes(kSumThreads),
                    stream>>>(s.partial, s.blocks, columns, s.gradient);
  return cudaGetLastError();
}

cudaError_t pool_rows(const PoolingLaunch& s, cudaStream_t stream) {
  const int floats = s.height / 2 * (s.width / 2) * s.channels;
  pool_rows_kernel<<<s.rows, kPoolingThreads, bytes(floats), stream>>>(s);
  return cudaGetLastError();
}

cudaError_t pooling_slopes(const PoolingSlopesLaunch& s, cudaStream_t stream) {
  const int floats = s.height / 2 * (s.width / 2) * s.channels;
  pooling_slopes_kernel<<<s.rows, kPoolingThreads, bytes(floats), stream>>>(s);
  return cudaGetLastError();
}

}  // namespace nw::nn
