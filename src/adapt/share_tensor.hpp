// Private: shares of classes as a tensor of the networks' precision.
#pragma once

#include <vector>

#include <torch/types.h>

namespace nw::adapt {

[[nodiscard]] inline torch::Tensor share_tensor(const std::vector<double>& values,
                                                const torch::Device& device) {
  return torch::tensor(values, torch::kFloat64).to(torch::kFloat32).to(device);
}

}  // namespace nw::adapt
