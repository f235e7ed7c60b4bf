// The passes of mlp_pass.cpp as a few tensor operations over the whole batch: on a GPU every
// operation is a launch, so their number is what counts. Notation as there.
#include "nn/kernels/mlp_pass.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

struct Forward {
  std::vector<Tensor> a;  // a_0 ... a_{L-1}
  Tensor values;
};

Forward forward(const MlpView& mlp, const Tensor& points) {
  Forward pass{.a = {points}, .values = {}};
  for (std::size_t l = 0; l + 1 < mlp.weights.size(); ++l) {
    Tensor a = at::addmm(mlp.biases[l], pass.a.back(), mlp.weights[l].t());
    pass.a.push_back(at::leaky_relu_(a, mlp.slope));
  }
  pass.values = at::addmv(mlp.biases.back(), pass.a.back(), mlp.weights.back().squeeze(0));
  return pass;
}

/// delta m_l: the sign of a leaky ReLU is that of its argument, so its result will do.
Tensor times_slope(const Tensor& delta, const Tensor& activation, double slope) {
  return at::leaky_relu_backward(delta, activation, slope, /*self_is_result=*/false);
}

/// delta_1 ... delta_{L-1}, in that order.
std::vector<Tensor> backward(const MlpView& mlp, const Forward& pass, const Tensor& seed) {
  const std::size_t hidden = mlp.weights.size() - 1;
  std::vector<Tensor> delta(hidden);
  delta.back() =
      times_slope(at::mm(seed.unsqueeze(1), mlp.weights.back()), pass.a[hidden], mlp.slope);
  for (std::size_t l = hidden - 1; l > 0; --l) {
    delta[l - 1] = times_slope(at::mm(delta[l], mlp.weights[l]), pass.a[l], mlp.slope);
  }
  return delta;
}

Tensor place(const Tensor& flat, std::int64_t offset, const Tensor& like) {
  return flat.narrow(0, offset, like.numel()).view(like.sizes());
}

MlpView detached(const MlpView& mlp) {
  MlpView copy{.weights = {}, .biases = {}, .slope = mlp.slope};
  for (const auto& w : mlp.weights) copy.weights.push_back(w.detach());
  for (const auto& b : mlp.biases) copy.biases.push_back(b.detach());
  return copy;
}

ParameterGradient objective_gradient(const MlpView& mlp, const MlpLayout& layout,
                                     const WeightedBatch& batch) {
  const std::size_t hidden = mlp.weights.size() - 1;
  const Forward pass = forward(mlp, batch.points);
  const auto delta = backward(mlp, pass, batch.weights);

  ParameterGradient result;
  result.values = pass.values;
  result.gradient = torch::zeros({layout.count}, batch.points.options());
  const Tensor ones = torch::ones({batch.points.size(0)}, batch.points.options());
  for (std::size_t l = 0; l < hidden; ++l) {
    auto weight = place(result.gradient, layout.weight_offset[l], mlp.weights[l]);
    at::mm_out(weight, delta[l].t(), pass.a[l]);
    auto bias = place(result.gradient, layout.bias_offset[l], mlp.biases[l]);
    at::mv_out(bias, delta[l].t(), ones);  // a quarter of the time of a sum over rows
  }
  auto last = place(result.gradient, layout.weight_offset.back(), mlp.weights.back().squeeze(0));
  at::mv_out(last, pass.a[hidden].t(), batch.weights);
  auto last_bias = place(result.gradient, layout.bias_offset.back(), mlp.biases.back());
  at::sum_out(last_bias, batch.weights, {0}, /*keepdim=*/true);
  return result;
}

}  // namespace

ParameterGradient mlp_parameter_gradient_whole(const MlpView& attached, const MlpLayout& layout,
                                               const WeightedBatch& batch,
                                               const std::optional<PenaltyBatch>& penalty) {
  const torch::NoGradGuard no_grad;
  const MlpView mlp = detached(attached);
  const std::size_t hidden = mlp.weights.size() - 1;
  auto fused = mlp_parameter_gradient_fused(mlp, layout, batch);
  ParameterGradient result = fused ? std::move(*fused) : objective_gradient(mlp, layout, batch);
  if (!penalty) return result;

  const Forward hat = forward(mlp, penalty->points);
  const auto v = backward(mlp, hat, torch::ones_like(hat.values));
  const auto g = at::mm(v[0], mlp.weights[0]);
  const auto norm = g.norm(2, 1, /*keepdim=*/true);
  const double scale = penalty->coefficient / static_cast<double>(penalty->points.size(0));
  result.penalty = (norm - 1.0).square().sum() * scale;
  Tensor s = g * ((norm - 1.0) / norm.clamp_min(1e-30) * (-2.0 * scale));
  for (std::size_t l = 0; l < hidden; ++l) {
    place(result.gradient, layout.weight_offset[l], mlp.weights[l]).addmm_(v[l].t(), s);
    s = times_slope(at::mm(s, mlp.weights[l].t()), hat.a[l + 1], mlp.slope);
  }
  place(result.gradient, layout.weight_offset.back(), mlp.weights.back().squeeze(0)).add_(s.sum(0));
  return result;
}

PointGradient mlp_point_gradient_whole(const MlpView& attached, const WeightedBatch& batch) {
  const torch::NoGradGuard no_grad;
  const MlpView mlp = detached(attached);
  const Forward pass = forward(mlp, batch.points);
  const auto delta = backward(mlp, pass, batch.weights);
  return {.values = pass.values, .gradient = at::mm(delta[0], mlp.weights[0])};
}

}  // namespace nw::nn
