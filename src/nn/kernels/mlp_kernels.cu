// Starts the kernels of mlp_kernels.inl.
#include <algorithm>

#include "nn/kernels/mlp_kernels.hpp"
#include "nn/kernels/mlp_kernels.inl"

namespace nw::nn {

int fused_blocks(std::int64_t rows) {
  int device = 0, processors = 0, memory = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
          cudaSuccess ||
      memory < static_cast<int>(sizeof(Shared))) {
    return 0;
  }
  return static_cast<int>(std::min<std::int64_t>((rows + kRows - 1) / kRows, processors));
}

cudaError_t fused_gradient(const FusedMlp& mlp, const FusedLayout& layout, const float* points,
                           const float* weights, std::int64_t rows, int blocks, float* values,
                           float* partial, float* gradient, cudaStream_t stream) {
  const cudaError_t allowed = cudaFuncSetAttribute(
      gradient_of_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  if (allowed != cudaSuccess) return allowed;
  gradient_of_tiles<<<blocks, kThreads, sizeof(Shared), stream>>>(mlp, layout, points, weights,
                                                                  rows, values, partial);
  constexpr int kWide = 128;
  const auto wide = static_cast<unsigned>((layout.count + kWide - 1) / kWide);
  add_blocks<<<wide, kWide, 0, stream>>>(partial, blocks, layout.count, gradient);
  return cudaGetLastError();
}

}  // namespace nw::nn
