// Private: a network that guesses the noise behind a row of one component.
#pragma once

#include <memory>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/feature_network.hpp"
#include "nw/nn/mixture_generator.hpp"

namespace nw::gan {

/// Learns z from pairs (G_j(z), z), of which there are as many as one likes.
class LatentEncoder {
 public:
  LatentEncoder(const nn::MixtureGenerator& generator, std::int64_t component, std::int64_t steps,
                const Rng& rng);

  /// A first z for every row: [n, latent].
  [[nodiscard]] torch::Tensor guess(const torch::Tensor& rows) const;

 private:
  std::unique_ptr<nn::FeatureNetwork> network_;
};

}  // namespace nw::gan
