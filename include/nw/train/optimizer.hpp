// RMSProp and Adam on one flat vector of parameters.
#pragma once

#include <string>
#include <vector>

#include <torch/types.h>

namespace nw::train {

enum class OptimizerKind { rmsprop, adam };

[[nodiscard]] const char* to_string(OptimizerKind kind);

/// Constants as PyTorch names and defaults them, except the learning rate.
struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::rmsprop;
  /// Positive.
  double learning_rate = 5e-5;
  /// RMSProp: smoothing of the squared gradients. In [0, 1).
  double alpha = 0.99;
  /// Adam: smoothing of gradients and squared gradients. In [0, 1).
  double beta1 = 0.9, beta2 = 0.999;
  /// Added to the root of the squared gradients. Positive.
  double epsilon = 1e-8;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Moves parameters against their gradients. All state lives in tensors on the device of the
/// parameters and every step is made of tensor operations, so that a step can be captured and
/// replayed by a device graph.
class Optimizer {
 public:
  Optimizer() = default;
  /// For `count` parameters on `device`.
  Optimizer(const OptimizerOptions& options, std::int64_t count, const torch::Device& device);

  /// One step of descent; `gradient` and `parameters` are flat and of the same length.
  void step(const torch::Tensor& parameters, const torch::Tensor& gradient);
  /// Scales the learning rate from now on: decay, or recovery after a divergence.
  void set_rate_factor(double factor);

  [[nodiscard]] const OptimizerOptions& options() const noexcept { return options_; }
  /// Everything that changes, in place, for checkpoints.
  [[nodiscard]] std::vector<torch::Tensor> state() const;

 private:
  OptimizerOptions options_;
  torch::Tensor rate_;            // [] learning rate times factor
  torch::Tensor first_, second_;  // smoothed gradients (Adam) and squared gradients
  torch::Tensor betas_, powers_;  // [2] beta1, beta2 and beta1^t, beta2^t (Adam)
  double factor_ = 1.0;
};

}  // namespace nw::train
