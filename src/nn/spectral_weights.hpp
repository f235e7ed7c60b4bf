// Private: spectral norm of every weight of a network, or of none.
#pragma once

#include <vector>

#include "nw/nn/parameters.hpp"
#include "nw/nn/spectral_norm.hpp"

namespace nw::nn {

class SpectralWeights {
 public:
  SpectralWeights() = default;
  /// Parameters with two dimensions or more are the weights.
  SpectralWeights(const ParameterSet& parameters, const Rng& rng) : norms_(parameters.size()) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& p = parameters[i];
      if (p.dim() >= 2) norms_[i] = SpectralNorm(p.size(0), p.numel() / p.size(0), rng.split(i));
    }
    iterate(parameters);
  }

  [[nodiscard]] bool active() const noexcept { return !norms_.empty(); }

  [[nodiscard]] torch::Tensor weight(const ParameterSet& parameters, std::size_t index) const {
    return active() ? norms_[index].normalised(parameters[index]) : parameters[index];
  }

  void iterate(const ParameterSet& parameters) {
    for (std::size_t i = 0; i < norms_.size(); ++i) {
      if (norms_[i].u().defined()) norms_[i].iterate(parameters[i]);
    }
  }

  [[nodiscard]] std::vector<torch::Tensor> buffers() const {
    std::vector<torch::Tensor> result;
    for (const auto& norm : norms_) {
      if (norm.u().defined()) result.insert(result.end(), {norm.u(), norm.v()});
    }
    return result;
  }

  void to(const torch::Device& device) {
    for (auto& norm : norms_) {
      if (norm.u().defined()) norm.to(device);
    }
  }

 private:
  std::vector<SpectralNorm> norms_;  // one per parameter, idle for biases
};

}  // namespace nw::nn
