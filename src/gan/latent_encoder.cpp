#include "gan/latent_encoder.hpp"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "nw/nn/random_tensor.hpp"
#include "nw/train/optimizer.hpp"

namespace nw::gan {
namespace {

constexpr std::int64_t kBatch = 256, kWidth = 256;
constexpr double kRate = 1e-3;

}  // namespace

LatentEncoder::LatentEncoder(const nn::MixtureGenerator& generator, std::int64_t component,
                             std::int64_t steps, const Rng& rng) {
  const auto& options = generator.options();
  const torch::Device device = generator.parameters().flat().device();
  network_ = nn::make_feature_network({.kind = nn::FeatureKind::mlp,
                                       .data_dim = options.data_dim,
                                       .hidden = {kWidth, kWidth, options.latent_dim}},
                                      rng.split(0));
  network_->to(device);
  auto& parameters = network_->parameters();
  train::Optimizer optimizer({.kind = train::OptimizerKind::adam, .learning_rate = kRate},
                             parameters.count(), device);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto z = nn::normal_tensor(rng.split(static_cast<std::uint64_t>(step) + 1),
                                     {kBatch, options.latent_dim})
                       .to(device);
    torch::Tensor made;
    {
      const torch::NoGradGuard no_grad;
      made = generator.forward(z.unsqueeze(0), component, nn::Mode::sampling).squeeze(0);
    }
    std::vector<torch::Tensor> gradients;
    {
      const torch::AutoGradMode with_grad(true);
      const auto loss = (network_->forward({.source = made}) - z).square().mean();
      gradients = torch::autograd::grad({loss}, parameters.leaves());
    }
    const torch::NoGradGuard no_grad;
    const double left = 1.0 - static_cast<double>(step) / static_cast<double>(steps);
    optimizer.set_rate_factor(std::max(left, 0.05));
    optimizer.step(parameters.flat(), parameters.flatten(gradients));
  }
}

torch::Tensor LatentEncoder::guess(const torch::Tensor& rows) const {
  const torch::NoGradGuard no_grad;
  return network_->forward({.source = rows});
}

}  // namespace nw::gan
