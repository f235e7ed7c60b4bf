// In place of mlp_pass_fused.cpp where there is no CUDA compiler.
#include "nn/kernels/mlp_pass.hpp"

namespace nw::nn {

std::optional<ParameterGradient> mlp_parameter_gradient_fused(const MlpView&, const MlpLayout&,
                                                              const WeightedBatch&) {
  return std::nullopt;
}

}  // namespace nw::nn
