// Private: what generators with batch norm share: its parameters and its running moments.
#pragma once

#include <string>
#include <vector>

#include "nw/nn/mixture_generator.hpp"

#include "nn/grouped_layers.hpp"
#include "nn/layer_specs.hpp"

namespace nw::nn {

class BatchNormGenerator : public MixtureGenerator {
 public:
  using MixtureGenerator::MixtureGenerator;

  [[nodiscard]] std::vector<torch::Tensor> buffers() const final {
    std::vector<torch::Tensor> result;
    for (const auto& moments : moments_) {
      result.insert(result.end(), {moments.mean, moments.variance});
    }
    return result;
  }

  void to(const torch::Device& device) final {
    MixtureGenerator::to(device);
    for (auto& moments : moments_) {
      moments = {moments.mean.to(device), moments.variance.to(device)};
    }
  }

 protected:
  /// Scale and shift of one batch norm of every component: two parameters.
  void add_norm(ParameterSpecs& specs, const std::string& name, std::int64_t channels) {
    const std::int64_t k = components();
    specs.push_back({name + ".scale", {k, channels}, 0.0, 1.0});
    specs.push_back({name + ".shift", {k, channels}});
    moments_.push_back({torch::zeros({k, channels}), torch::ones({k, channels})});
  }

  /// Batch norm number `norm`, whose scale is parameter `index`, followed by ReLU.
  [[nodiscard]] torch::Tensor normed_relu(const torch::Tensor& a, std::size_t index,
                                          std::size_t norm, ComponentRange range, Mode mode) const {
    return at::relu(grouped_batch_norm(a, parameters_[index], parameters_[index + 1],
                                       moments_[norm], range, mode));
  }

 private:
  std::vector<RunningMoments> moments_;
};

}  // namespace nw::nn
