// Private: a critic's whole pass as one launch on a GPU. Free of LibTorch, which nvcc need not
// read.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace nw::nn {

/// Width of both hidden layers, and the largest number of inputs.
inline constexpr int kFusedWidth = 128, kFusedInputs = 8;

/// A perceptron inputs -> 128 -> 128 -> 1 in device memory, row-major as in MlpView.
struct FusedMlp {
  const float *w1, *b1, *w2, *b2, *w3, *b3;
  int inputs;
  float slope;
};

/// Where the gradients of w1, b1, w2, b2, w3 and b3 begin in the flat gradient of `count` numbers.
/// What follows b3 is padding.
struct FusedLayout {
  std::int64_t w1, b1, w2, b2, w3, b3, count;
};

/// Blocks that a pass over `rows` rows starts on the current device, 0 when it cannot run there.
[[nodiscard]] int fused_blocks(std::int64_t rows);

/// values[i] = D(x_i), gradient = d/dparameters of sum_i weights[i] D(x_i). `partial` holds
/// blocks * layout.count numbers. Sums run in a fixed order.
cudaError_t fused_gradient(const FusedMlp& mlp, const FusedLayout& layout, const float* points,
                           const float* weights, std::int64_t rows, int blocks, float* values,
                           float* partial, float* gradient, cudaStream_t stream);

}  // namespace nw::nn
