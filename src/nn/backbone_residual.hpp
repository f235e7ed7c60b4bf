// Private: what residual networks of two 3 x 3 convolutions a block have in common (He, Zhang, Ren
// and Sun 2016, figure 2). They differ in how images come in and in the shortcuts.
#pragma once

#include <string>
#include <utility>

#include "nn/backbone_torch.hpp"

namespace nw::nn {

class ResidualBackbone : public TorchBackbone {
 public:
  ResidualBackbone(const BackboneOptions& options, std::string last_layer)
      : TorchBackbone(options, std::move(last_layer), /*epsilon=*/1e-5) {}

 protected:
  [[nodiscard]] static std::string block_name(std::int64_t stage, std::int64_t block) {
    return concat("layer", stage + 1, ".", block, ".");
  }

  static void add_branch(BackboneSpecs& specs, const std::string& block, std::int64_t inputs,
                         std::int64_t outputs) {
    specs.weight(block + "conv1.weight", {outputs, inputs, 3, 3});
    add_norm(specs, block + "bn1", outputs);
    specs.weight(block + "conv2.weight", {outputs, outputs, 3, 3});
    add_norm(specs, block + "bn2", outputs);
  }

  /// What a block adds to its shortcut.
  [[nodiscard]] torch::Tensor branch(const torch::Tensor& a, const std::string& block,
                                     std::int64_t stride) const {
    torch::Tensor inner = at::conv2d(a, get(block + "conv1.weight"), {}, stride, /*padding=*/1);
    inner = at::relu(norm(inner, block + "bn1"));
    inner = at::conv2d(inner, get(block + "conv2.weight"), {}, 1, /*padding=*/1);
    return norm(inner, block + "bn2");
  }
};

}  // namespace nw::nn
