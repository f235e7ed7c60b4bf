// Private: parameters of layers, drawn as PyTorch draws them: uniform in +-1/sqrt(fan-in).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "nw/nn/parameters.hpp"

namespace nw::nn {

using ParameterSpecs = std::vector<ParameterSpec>;

inline double layer_half_width(std::int64_t fan_in) {
  return 1.0 / std::sqrt(static_cast<double>(fan_in));
}

inline void add_linear(ParameterSpecs& specs, const std::string& name, std::int64_t inputs,
                       std::int64_t outputs) {
  const double width = layer_half_width(inputs);
  specs.push_back({name + ".weight", {outputs, inputs}, width});
  specs.push_back({name + ".bias", {outputs}, width});
}

inline void add_convolution(ParameterSpecs& specs, const std::string& name, std::int64_t inputs,
                            std::int64_t outputs, std::int64_t kernel) {
  const double width = layer_half_width(inputs * kernel * kernel);
  specs.push_back({name + ".weight", {outputs, inputs, kernel, kernel}, width});
  specs.push_back({name + ".bias", {outputs}, width});
}

}  // namespace nw::nn
