// Critics D: what stands for the 1-Lipschitz functions of the dual [NW:dual].
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/image_size.hpp"
#include "nw/nn/parameters.hpp"

namespace nw::nn {

enum class CriticKind { mlp, convolutional, residual };

[[nodiscard]] const char* to_string(CriticKind kind);
[[nodiscard]] CriticKind critic_kind_from_string(const std::string& name);

/// What a critic looks like. The defaults are the paper's critic of the mixture of Gaussians.
struct CriticOptions {
  CriticKind kind = CriticKind::mlp;
  /// Length of a row of data. Positive.
  std::int64_t data_dim = 2;
  /// How a row is an image, for the kinds that need one; its size must be data_dim.
  ImageSize image = {};
  /// Widths between input and output, for `mlp`. Each positive.
  std::vector<std::int64_t> hidden = {128, 128};
  /// Channels of the first convolution; later stages double them. Positive.
  std::int64_t channels = 64;
  /// Slope of the leaky ReLU below zero; 0 gives ReLU. In [0, 1).
  double slope = 0.2;
  /// Divide every weight by its largest singular value (Miyato et al. 2018).
  bool spectral_norm = false;
  /// `residual`: convolutions in bfloat16, for GPUs; parameters and gradients stay in float32.
  bool bfloat16 = false;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Points with a weight each: stands for the objective sum_i w_i D(x_i).
struct WeightedBatch {
  torch::Tensor points;   ///< [n, data_dim]
  torch::Tensor weights;  ///< [n]
};

/// Where the gradient penalty is taken: coefficient * mean_i (|grad D(x_i)| - 1)^2, after Gulrajani
/// et al. 2017, equation 3.
struct PenaltyBatch {
  torch::Tensor points;  ///< [m, data_dim]
  double coefficient = 10.0;
};

/// The gradient of objective minus penalty, by which a critic ascends.
struct ParameterGradient {
  torch::Tensor values;    ///< D(x_i): [n]
  torch::Tensor gradient;  ///< flat, as ParameterSet::flat()
  torch::Tensor penalty;   ///< [] after the coefficient; undefined without a penalty
};

/// The gradient of the objective in the points.
struct PointGradient {
  torch::Tensor values;    ///< D(x_i): [n]
  torch::Tensor gradient;  ///< w_i grad D(x_i): [n, data_dim]
};

/// A scalar function of a row of data.
class Critic {
 public:
  virtual ~Critic() = default;

  /// D(x): [n, data_dim] -> [n]. Differentiable, twice where the layers are.
  [[nodiscard]] virtual torch::Tensor forward(const torch::Tensor& points) const = 0;

  /// Both gradients come from autograd over fixed blocks of rows, or from a hand-written pass where
  /// a critic has one; either way the result does not depend on the number of threads.
  [[nodiscard]] virtual ParameterGradient parameter_gradient(
      const WeightedBatch& batch, const std::optional<PenaltyBatch>& penalty) const;
  [[nodiscard]] virtual PointGradient point_gradient(const WeightedBatch& batch) const;

  /// Prepares the next forward pass after the parameters moved: one power iteration per weight
  /// under spectral norm, nothing otherwise.
  virtual void refresh() {}
  /// State besides the parameters, in place: the singular vectors of spectral norm.
  [[nodiscard]] virtual std::vector<torch::Tensor> buffers() const { return {}; }
  virtual void to(const torch::Device& device) { parameters_.to(device); }

  [[nodiscard]] ParameterSet& parameters() noexcept { return parameters_; }
  [[nodiscard]] const ParameterSet& parameters() const noexcept { return parameters_; }

 protected:
  ParameterSet parameters_;
};

/// A critic with random weights, drawn as PyTorch's layers draw theirs.
[[nodiscard]] std::unique_ptr<Critic> make_critic(const CriticOptions& options, const Rng& rng);

}  // namespace nw::nn
