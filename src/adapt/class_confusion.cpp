#include "adapt/class_confusion.hpp"

namespace nw::adapt {

using torch::Tensor;

Tensor class_confusion(const Tensor& log_odds) {
  constexpr double kTemperature = 2.5;  // the authors' for most data sets
  const auto log_posterior = at::log_softmax(log_odds / kTemperature, 1);
  const auto posterior = log_posterior.exp();
  // The authors' weights carry no gradient.
  auto weight = 1.0 + (posterior * log_posterior).sum(1).detach().exp();
  weight = weight / weight.mean();
  const auto products = at::matmul((posterior * weight.unsqueeze(1)).t(), posterior);
  const auto shares = products / products.sum(1, /*keepdim=*/true);
  return 1.0 - shares.diagonal().mean();
}

}  // namespace nw::adapt
