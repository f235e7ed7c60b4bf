// Private: backbones whose tensors have the names PyTorch's modules give them.
#pragma once

#include <string>
#include <utility>

#include "nw/base/error.hpp"

#include "nn/backbone_layers.hpp"

namespace nw::nn {

class TorchBackbone : public Backbone {
 public:
  TorchBackbone(const BackboneOptions& options, std::string last_layer, double epsilon)
      : Backbone(options), last_layer_(std::move(last_layer)), epsilon_(epsilon) {}

  torch::Tensor logits(const torch::Tensor& features) const final {
    require(options_.classes > 0, "this backbone has no last layer");
    return at::linear(features, get(last_layer_ + ".weight"), get(last_layer_ + ".bias"));
  }

 protected:
  static void add_norm(BackboneSpecs& specs, const std::string& name, std::int64_t channels) {
    specs.constant(name + ".weight", channels, 1.0);
    specs.constant(name + ".bias", channels, 0.0);
    specs.statistic(name + ".running_mean", channels, 0.0);
    specs.statistic(name + ".running_var", channels, 1.0);
  }

  /// To be called once, at the end of a constructor that knows its layers.
  void draw(BackboneSpecs specs, std::int64_t features, const Rng& rng) {
    if (options_.classes > 0) {
      specs.weight(last_layer_ + ".weight", {options_.classes, features});
      specs.constant(last_layer_ + ".bias", options_.classes, 0.0);
    }
    parameters_ = ParameterSet(std::move(specs.parameters), rng.split(0));
    statistics_ = ParameterSet(std::move(specs.statistics), rng.split(1));
    index_.build(parameters_);
    statistics_index_.build(statistics_);
  }

  [[nodiscard]] bool has(const std::string& name) const { return index_.contains(name); }
  [[nodiscard]] const torch::Tensor& get(const std::string& name) const {
    return index_.get(parameters_, name);
  }

  [[nodiscard]] torch::Tensor norm(const torch::Tensor& a, const std::string& name) const {
    constexpr double kMomentum = 0.1;
    const auto statistic = [&](const char* which) {
      return statistics_index_.get(statistics_, name + which).detach();
    };
    return at::batch_norm(a, get(name + ".weight"), get(name + ".bias"), statistic(".running_mean"),
                          statistic(".running_var"), /*training=*/false, kMomentum, epsilon_,
                          /*cudnn_enabled=*/true);
  }

  /// Images in [0, 1] minus the mean of ImageNet's colours, over their deviation.
  /// Without tensors made on the CPU, whose way to a GPU cannot be recorded as part of a graph.
  [[nodiscard]] static torch::Tensor by_imagenet_colours(const torch::Tensor& images) {
    const auto colour = [&](std::int64_t c, double mean, double deviation) {
      return (images.select(1, c) - mean) / deviation;
    };
    return at::stack({colour(0, 0.485, 0.229), colour(1, 0.456, 0.224), colour(2, 0.406, 0.225)},
                     1);
  }

 private:
  std::string last_layer_;
  double epsilon_;
  TensorIndex index_, statistics_index_;
};

}  // namespace nw::nn
