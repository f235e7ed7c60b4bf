#include "train/optimizer_fused.hpp"

#include <c10/cuda/CUDAStream.h>

#include "nw/base/error.hpp"

#include "train/optimizer_kernels.hpp"

namespace nw::train {
namespace {

bool usable(const torch::Tensor& tensor) {
  return tensor.is_cuda() && tensor.is_contiguous() && tensor.scalar_type() == torch::kFloat32;
}

}  // namespace

bool fused_step(const OptimizerOptions& options, const FusedStep& step) {
  if (!usable(step.parameters) || !usable(step.gradient) || step.parameters.numel() == 0) {
    return false;
  }
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const cudaError_t error = options.kind == OptimizerKind::rmsprop
                                ? rmsprop_update({.parameters = step.parameters.data_ptr<float>(),
                                                  .second = step.second.data_ptr<float>(),
                                                  .gradient = step.gradient.data_ptr<float>(),
                                                  .rate = step.rate.data_ptr<float>(),
                                                  .count = step.parameters.numel(),
                                                  .alpha = static_cast<float>(options.alpha),
                                                  .epsilon = static_cast<float>(options.epsilon)},
                                                 stream)
                                : adam_update({.parameters = step.parameters.data_ptr<float>(),
                                               .first = step.first.data_ptr<float>(),
                                               .second = step.second.data_ptr<float>(),
                                               .gradient = step.gradient.data_ptr<float>(),
                                               .rate = step.rate.data_ptr<float>(),
                                               .power1 = step.power1.data_ptr<double>(),
                                               .power2 = step.power2.data_ptr<double>(),
                                               .count = step.parameters.numel(),
                                               .beta1 = static_cast<float>(options.beta1),
                                               .beta2 = static_cast<float>(options.beta2),
                                               .epsilon = static_cast<float>(options.epsilon)},
                                              stream);
  require(error == cudaSuccess,
          "the optimiser's step cannot run on this GPU: ", cudaGetErrorString(error));
  return true;
}

}  // namespace nw::train
