// Private: layers of backbones by name, and the list of their tensors.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "nw/nn/backbone.hpp"

namespace nw::nn {

[[nodiscard]] std::unique_ptr<Backbone> make_resnet18(const BackboneOptions& options,
                                                      const Rng& rng);
[[nodiscard]] std::unique_ptr<Backbone> make_mobilenet(const BackboneOptions& options,
                                                       const Rng& rng);
[[nodiscard]] std::unique_ptr<Backbone> make_cifar_resnet(const BackboneOptions& options,
                                                          const Rng& rng);
[[nodiscard]] std::unique_ptr<Backbone> make_inception_v3(const BackboneOptions& options,
                                                          const Rng& rng);

/// Collects the tensors of a network while it is described.
struct BackboneSpecs {
  std::vector<ParameterSpec> parameters, statistics;

  /// A weight [outputs, inputs per group, height, width] or [outputs, inputs].
  void weight(const std::string& name, const std::vector<std::int64_t>& sizes) {
    std::int64_t inputs = 1;
    for (std::size_t i = 1; i < sizes.size(); ++i) inputs *= sizes[i];
    parameters.push_back({name, sizes, 1.0 / std::sqrt(static_cast<double>(inputs))});
  }
  void constant(const std::string& name, std::int64_t channels, double value) {
    parameters.push_back({name, {channels}, 0.0, value});
  }
  void statistic(const std::string& name, std::int64_t channels, double value) {
    statistics.push_back({name, {channels}, 0.0, value});
  }
};

/// Tensors by name, found in constant time: names are looked up in every pass.
class TensorIndex {
 public:
  void build(const ParameterSet& set) {
    places_.clear();
    for (std::size_t i = 0; i < set.size(); ++i) places_.emplace(set.specs()[i].name, i);
  }
  [[nodiscard]] const torch::Tensor& get(const ParameterSet& set, const std::string& name) const {
    return set[places_.at(name)];
  }
  [[nodiscard]] bool contains(const std::string& name) const { return places_.contains(name); }

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace nw::nn
