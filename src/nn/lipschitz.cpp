#include "nw/nn/lipschitz.hpp"

#include <torch/csrc/autograd/autograd.h>

namespace nw::nn {

torch::Tensor gradient_penalty(const Critic& critic, const torch::Tensor& points,
                               double coefficient) {
  const auto x = points.detach().requires_grad_(true);
  const auto values = critic.forward(x);
  const auto gradient = torch::autograd::grad({values.sum()}, {x}, {}, /*retain_graph=*/true,
                                              /*create_graph=*/true)[0];
  const auto norms = gradient.flatten(1).norm(2, 1);
  return (norms - 1.0).square().mean() * coefficient;
}

torch::Tensor interpolate(const torch::Tensor& x, const torch::Tensor& y, const torch::Tensor& t) {
  return torch::lerp(y, x, t.unsqueeze(1));
}

void clip_parameters(ParameterSet& parameters, double bound) {
  const torch::NoGradGuard no_grad;
  auto flat = parameters.flat();
  flat.clamp_(-bound, bound);
}

}  // namespace nw::nn
