// RMSProp: Tieleman and Hinton 2012, lecture 6.5. Adam: Kingma and Ba 2015, Algorithm 1.
#include "nw/train/optimizer.hpp"

#include "nw/base/error.hpp"

#include "train/optimizer_fused.hpp"

namespace nw::train {

const char* to_string(OptimizerKind kind) {
  return kind == OptimizerKind::adam ? "adam" : "rmsprop";
}

void OptimizerOptions::validate() const {
  const auto fraction = [](double value, const char* field) {
    require(value >= 0.0 && value < 1.0, "OptimizerOptions.", field, " must lie in [0, 1), got ",
            value);
  };
  require(learning_rate > 0.0, "OptimizerOptions.learning_rate must be positive, got ",
          learning_rate);
  require(epsilon > 0.0, "OptimizerOptions.epsilon must be positive, got ", epsilon);
  fraction(alpha, "alpha");
  fraction(beta1, "beta1");
  fraction(beta2, "beta2");
}

Optimizer::Optimizer(const OptimizerOptions& options, std::int64_t count,
                     const torch::Device& device)
    : options_(options) {
  options_.validate();
  const auto on_device = torch::TensorOptions().dtype(torch::kFloat32).device(device);
  rate_ = torch::full({}, options_.learning_rate, on_device);
  second_ = torch::zeros({count}, on_device);
  if (options_.kind == OptimizerKind::adam) {
    first_ = torch::zeros({count}, on_device);
    // In double: 1 - beta2^t starts at 1e-3 and float32 would lose three digits of it.
    betas_ = torch::tensor({options_.beta1, options_.beta2}, torch::kFloat64).to(device);
    powers_ = torch::ones({2}, on_device.dtype(torch::kFloat64));
  }
}

void Optimizer::set_rate_factor(double factor) {
  if (factor == factor_) return;
  factor_ = factor;
  rate_.fill_(options_.learning_rate * factor);
}

void Optimizer::step(const torch::Tensor& parameters, const torch::Tensor& gradient) {
  const torch::NoGradGuard no_grad;
  torch::Tensor target = parameters;
  torch::Tensor power1, power2;
  if (options_.kind == OptimizerKind::adam) {
    powers_.mul_(betas_);
    power1 = powers_.select(0, 0);
    power2 = powers_.select(0, 1);
  }
  if (fused_step(options_, {.parameters = parameters.detach(),
                            .gradient = gradient,
                            .rate = rate_,
                            .second = second_,
                            .first = first_,
                            .power1 = power1,
                            .power2 = power2})) {
    return;
  }
  if (options_.kind == OptimizerKind::rmsprop) {
    second_.mul_(options_.alpha).addcmul_(gradient, gradient, 1.0 - options_.alpha);
    target.sub_(gradient.mul(rate_).div_(second_.sqrt().add_(options_.epsilon)));
    return;
  }
  first_.lerp_(gradient, 1.0 - options_.beta1);
  second_.mul_(options_.beta2).addcmul_(gradient, gradient, 1.0 - options_.beta2);
  const auto corrected_rate = rate_.div((1.0 - power1).to(torch::kFloat32));
  const auto root = second_.div((1.0 - power2).to(torch::kFloat32)).sqrt_();
  target.sub_(first_.mul(corrected_rate).div_(root.add_(options_.epsilon)));
}

std::vector<torch::Tensor> Optimizer::state() const {
  std::vector<torch::Tensor> tensors{second_};
  if (first_.defined()) {
    tensors.insert(tensors.end(), {first_, powers_.select(0, 0), powers_.select(0, 1)});
  }
  return tensors;
}

}  // namespace nw::train
