// The critic's pass in two launches where the network and the device allow it: see mlp_kernels.cu.
#include <c10/cuda/CUDAStream.h>

#include "nw/base/error.hpp"

#include "nn/kernels/mlp_kernels.hpp"
#include "nn/kernels/mlp_pass.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

bool fits(const MlpView& mlp, const WeightedBatch& batch) {
  return mlp.weights.size() == 3 && mlp.weights[0].size(0) == kFusedWidth &&
         mlp.weights[1].size(0) == kFusedWidth && mlp.weights[0].size(1) <= kFusedInputs &&
         batch.points.is_cuda() && batch.points.scalar_type() == torch::kFloat32 &&
         batch.points.size(0) > 0;
}

const float* data(const Tensor& tensor) {
  return tensor.data_ptr<float>();
}

}  // namespace

std::optional<ParameterGradient> mlp_parameter_gradient_fused(const MlpView& mlp,
                                                              const MlpLayout& layout,
                                                              const WeightedBatch& batch) {
  if (!fits(mlp, batch)) return std::nullopt;
  const std::int64_t rows = batch.points.size(0);
  const int blocks = fused_blocks(rows);
  if (blocks == 0) return std::nullopt;

  const Tensor points = batch.points.contiguous(), weights = batch.weights.contiguous();
  std::vector<Tensor> w, b;  // contiguous, and alive until the launch
  for (const auto& weight : mlp.weights) w.push_back(weight.detach().contiguous());
  for (const auto& bias : mlp.biases) b.push_back(bias.detach().contiguous());
  const FusedMlp net{.w1 = data(w[0]),
                     .b1 = data(b[0]),
                     .w2 = data(w[1]),
                     .b2 = data(b[1]),
                     .w3 = data(w[2]),
                     .b3 = data(b[2]),
                     .inputs = static_cast<int>(w[0].size(1)),
                     .slope = static_cast<float>(mlp.slope)};
  const FusedLayout places{.w1 = layout.weight_offset[0],
                           .b1 = layout.bias_offset[0],
                           .w2 = layout.weight_offset[1],
                           .b2 = layout.bias_offset[1],
                           .w3 = layout.weight_offset[2],
                           .b3 = layout.bias_offset[2],
                           .count = layout.count};
  ParameterGradient result;
  result.values = torch::empty({rows}, points.options());
  result.gradient = torch::empty({layout.count}, points.options());
  const Tensor partial = torch::empty({blocks * layout.count}, points.options());
  const cudaError_t error =
      fused_gradient(net, places, data(points), data(weights), rows, blocks,
                     result.values.data_ptr<float>(), partial.data_ptr<float>(),
                     result.gradient.data_ptr<float>(), c10::cuda::getCurrentCUDAStream());
  require(error == cudaSuccess,
          "the critic's pass cannot run on this GPU: ", cudaGetErrorString(error));
  return result;
}

}  // namespace nw::nn
