// Private: what critics share whose weights may be divided by their largest singular values.
#pragma once

#include <utility>

#include "nw/nn/critic.hpp"

#include "nn/layer_specs.hpp"
#include "nn/spectral_weights.hpp"

namespace nw::nn {

class SpectralCritic : public Critic {
 public:
  void refresh() final { spectral_.iterate(parameters_); }
  [[nodiscard]] std::vector<torch::Tensor> buffers() const final { return spectral_.buffers(); }
  void to(const torch::Device& device) final {
    Critic::to(device);
    spectral_.to(device);
  }

 protected:
  /// To be called once, at the end of a constructor that knows its layers.
  void draw_parameters(ParameterSpecs specs, const CriticOptions& options, const Rng& rng) {
    parameters_ = ParameterSet(std::move(specs), rng.split(0));
    if (options.spectral_norm) spectral_ = SpectralWeights(parameters_, rng.split(1));
  }

  [[nodiscard]] bool has_spectral_norm() const noexcept { return spectral_.active(); }
  /// The weight that layers see: parameter `index`, divided where the options ask for it.
  [[nodiscard]] torch::Tensor weight(std::size_t index) const {
    return spectral_.weight(parameters_, index);
  }

 private:
  SpectralWeights spectral_;
};

}  // namespace nw::nn
