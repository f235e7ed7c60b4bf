#include "nw/nn/spectral_norm.hpp"

#include "nw/nn/random_tensor.hpp"

namespace nw::nn {
namespace {

constexpr double kTiny = 1e-12;

void normalise_(torch::Tensor& vector) {
  vector.div_(vector.norm().clamp_min(kTiny));
}

}  // namespace

SpectralNorm::SpectralNorm(std::int64_t rows, std::int64_t cols, const Rng& rng)
    : u_(normal_tensor(rng.split(0), {rows})), v_(normal_tensor(rng.split(1), {cols})) {
  normalise_(u_);
  normalise_(v_);
}

void SpectralNorm::iterate(const torch::Tensor& weight) {
  const torch::NoGradGuard no_grad;
  const auto matrix = weight.detach().flatten(1);
  v_.copy_(at::mv(matrix.t(), u_));
  normalise_(v_);
  u_.copy_(at::mv(matrix, v_));
  normalise_(u_);
}

torch::Tensor SpectralNorm::normalised(const torch::Tensor& weight) const {
  // Copies, because the next iteration writes into u and v while this graph may still be alive.
  const auto sigma = u_.clone().dot(at::mv(weight.flatten(1), v_.clone()));
  return weight / sigma;
}

void SpectralNorm::to(const torch::Device& device) {
  u_ = u_.to(device);
  v_ = v_.to(device);
}

}  // namespace nw::nn
