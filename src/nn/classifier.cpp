#include "nw/nn/classifier.hpp"

#include "nw/base/error.hpp"

#include "nn/dropout.hpp"
#include "nn/layer_specs.hpp"

namespace nw::nn {

void ClassifierOptions::validate() const {
  require(feature_dim > 0, "ClassifierOptions.feature_dim must be positive, got ", feature_dim);
  require(classes >= 2, "ClassifierOptions.classes must be at least 2, got ", classes);
  for (const auto width : hidden) {
    require(width > 0, "ClassifierOptions.hidden must be positive, got ", width);
  }
  require(dropout >= 0.0 && dropout < 1.0, "ClassifierOptions.dropout must lie in [0, 1), got ",
          dropout);
}

Classifier::Classifier(const ClassifierOptions& options, const Rng& rng) : options_(options) {
  options_.validate();
  ParameterSpecs specs;
  std::int64_t inputs = options_.feature_dim;
  for (const auto width : options_.hidden) {
    add_linear(specs, "linear" + std::to_string(specs.size() / 2), inputs, width);
    inputs = width;
  }
  add_linear(specs, "linear" + std::to_string(specs.size() / 2), inputs, options_.classes);
  parameters_ = ParameterSet(std::move(specs), rng);
}

torch::Tensor Classifier::forward(
    const torch::Tensor& features,
    const std::function<torch::Tensor(at::IntArrayRef sizes)>& uniform) const {
  torch::Tensor a = features;
  for (std::size_t i = 0; i < parameters_.size(); i += 2) {
    a = at::linear(a, parameters_[i], parameters_[i + 1]);
    if (i + 2 == parameters_.size()) break;
    a = at::relu(a);
    if (i == 0) a = dropped(a, options_.dropout, a.sizes(), uniform);
  }
  return a;
}

}  // namespace nw::nn
