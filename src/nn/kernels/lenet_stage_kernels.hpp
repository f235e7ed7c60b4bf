// Private: the stages of LeNet as launches on a GPU. Free of LibTorch, which nvcc need not read.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace nw::nn {

/// Outputs of a stage that a block computes, and the numbers of channels of an image that it knows.
inline constexpr int kStageBlockOutputs = 16;
inline constexpr int kStageGrey = 1, kStageColour = 3;
/// Outputs that a block of the gradient serves: one for each thread of a warp.
inline constexpr int kStageGradientOutputs = 32;
/// Memory that a block may use without asking for more.
inline constexpr int kStageMemory = 48 * 1024;

/// images [rows, channels, height, width], weight [outputs, channels, 5, 5]; values and place are
/// [rows, pooled_height, pooled_width, outputs]. See StageValues.
struct StageLaunch {
  const float *images, *weight, *bias;
  float* values;
  std::uint8_t* place;
  int rows, channels, height, width, outputs;
};
/// Bytes of shared memory that a block needs.
[[nodiscard]] int stage_memory(const StageLaunch& launch);
cudaError_t stage_values(const StageLaunch& launch, cudaStream_t stream);

/// The gradient of weight and bias in one row: [outputs * channels * 25 + outputs]. `partial` holds
/// `blocks` such rows. Sums run in a fixed order.
struct StageGradientLaunch {
  const float *images, *slope;
  const std::uint8_t* place;
  float *partial, *gradient;
  int rows, channels, height, width, outputs, blocks;
};
[[nodiscard]] int stage_gradient_memory(const StageGradientLaunch& launch);
cudaError_t stage_gradient(const StageGradientLaunch& launch, cudaStream_t stream);

/// a [rows, height, width, channels], values [rows, channels, height / 2, width / 2], place
/// [rows, height / 2, width / 2, channels]; `uniform` [rows, channels] or null.
struct PoolingLaunch {
  const float *a, *bias, *uniform;
  float* values;
  std::uint8_t* place;
  int rows, channels, height, width;
  float share;
};
cudaError_t pool_rows(const PoolingLaunch& launch, cudaStream_t stream);

/// Back to a [rows, height, width, channels], of which what no pooled value covers is left alone,
/// and to a row of the bias for every row: [rows, channels].
struct PoolingSlopesLaunch {
  const float *slope, *uniform;
  const std::uint8_t* place;
  float *a, *bias;
  int rows, channels, height, width;
  float share;
};
cudaError_t pooling_slopes(const PoolingSlopesLaunch& launch, cudaStream_t stream);

}  // namespace nw::nn
