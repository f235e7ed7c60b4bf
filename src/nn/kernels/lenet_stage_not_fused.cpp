// For a build without CUDA's compiler.
#include "nw/base/error.hpp"

#include "nn/kernels/lenet_stage.hpp"

namespace nw::nn {
namespace {

[[noreturn]] void missing() {
  throw InvalidArgument("LeNet: this build has no kernels for a GPU");
}

}  // namespace

bool stage_kernels_fit(const torch::Tensor&, const torch::Tensor&) {
  return false;
}

StageValues stage_values_fused(const torch::Tensor&, const torch::Tensor&, const torch::Tensor&) {
  missing();
}

StageGradient stage_gradient_fused(const torch::Tensor&, const torch::Tensor&,
                                   const torch::Tensor&) {
  missing();
}

bool pooling_kernels_fit(const torch::Tensor&) {
  return false;
}

StageValues pooled_rows_fused(const torch::Tensor&, const torch::Tensor&, const ChannelDropout&) {
  missing();
}

PooledSlopes pooled_slopes_fused(const torch::Tensor&, const torch::Tensor&, const ChannelDropout&,
                                 at::IntArrayRef) {
  missing();
}

}  // namespace nw::nn
