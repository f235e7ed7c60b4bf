// Classifiers on features: linear layers with ReLU between them.
#pragma once

#include <functional>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/parameters.hpp"

namespace nw::nn {

/// What a classifier looks like. The defaults are the paper's for digits.
struct ClassifierOptions {
  std::int64_t feature_dim = 768;  ///< positive
  std::int64_t classes = 10;       ///< at least 2
  /// Widths between features and classes; none makes it linear. Each positive.
  std::vector<std::int64_t> hidden = {100, 100};
  /// Share of the first hidden layer that training drops. In [0, 1).
  double dropout = 0.0;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

class Classifier {
 public:
  Classifier() = default;
  /// Random weights, drawn as PyTorch's layers draw theirs.
  Classifier(const ClassifierOptions& options, const Rng& rng);

  /// Log-odds of the classes: [n, feature_dim] -> [n, classes]. `uniform` gives the numbers of
  /// dropout; without it nothing is dropped.
  [[nodiscard]] torch::Tensor forward(
      const torch::Tensor& features,
      const std::function<torch::Tensor(at::IntArrayRef sizes)>& uniform = {}) const;
  void to(const torch::Device& device) { parameters_.to(device); }

  [[nodiscard]] const ClassifierOptions& options() const noexcept { return options_; }
  [[nodiscard]] ParameterSet& parameters() noexcept { return parameters_; }
  [[nodiscard]] const ParameterSet& parameters() const noexcept { return parameters_; }

 private:
  ClassifierOptions options_;
  ParameterSet parameters_;
};

}  // namespace nw::nn
