#include "nw/nn/proportions.hpp"

#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"

namespace nw::nn {

Proportions Proportions::learnt(std::int64_t components) {
  require(components > 0, "Proportions: components must be positive, got ", components);
  Proportions result;
  result.logits_ = torch::zeros({components}, torch::kFloat32);
  return result;
}

Proportions Proportions::fixed(std::span<const double> pi) {
  const double sum = std::accumulate(pi.begin(), pi.end(), 0.0);
  require(!pi.empty() && std::abs(sum - 1.0) < 1e-6,
          "Proportions: fixed proportions must sum to "
          "one, got ",
          sum);
  Proportions result;
  result.fixed_ = true;
  result.logits_ = torch::empty({static_cast<std::int64_t>(pi.size())}, torch::kFloat32);
  for (std::size_t j = 0; j < pi.size(); ++j) {
    require(pi[j] >= 0.0, "Proportions: fixed proportions must not be negative, got ", pi[j]);
    result.logits_.data_ptr<float>()[j] = static_cast<float>(std::log(pi[j]));
  }
  return result;
}

Proportions Proportions::clone() const {
  Proportions copy = *this;
  copy.logits_ = logits_.clone();
  return copy;
}

torch::Tensor Proportions::values() const {
  return at::softmax(logits_, 0);
}

std::vector<double> Proportions::to_vector() const {
  // In double, so that the sum is one to the last digit a reader sees.
  const auto pi = at::softmax(logits_.to(torch::kCPU, torch::kFloat64), 0);
  const double* first = pi.data_ptr<double>();
  return {first, first + pi.numel()};
}

torch::Tensor Proportions::logit_gradient(const torch::Tensor& pi_gradient) const {
  const auto pi = values();
  return pi * (pi_gradient - (pi * pi_gradient).sum());
}

}  // namespace nw::nn
