// He, Zhang, Ren and Sun 2016, "Deep residual learning for image recognition", table 1, 18 layers;
// tensors are named as torchvision's resnet18 names them, and images are scaled as it expects.
#include "nn/backbone_residual.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kStages = 4, kBlocks = 2, kFirstChannels = 64;

class Resnet18 final : public ResidualBackbone {
 public:
  Resnet18(const BackboneOptions& options, const Rng& rng) : ResidualBackbone(options, "fc") {
    BackboneSpecs specs;
    specs.weight("conv1.weight", {kFirstChannels, 3, 7, 7});
    add_norm(specs, "bn1", kFirstChannels);
    std::int64_t inputs = kFirstChannels;
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
      const std::int64_t outputs = kFirstChannels << stage;
      for (std::int64_t block = 0; block < kBlocks; ++block) {
        const std::string name = block_name(stage, block);
        add_branch(specs, name, inputs, outputs);
        if (inputs != outputs) {
          specs.weight(name + "downsample.0.weight", {outputs, inputs, 1, 1});
          add_norm(specs, name + "downsample.1", outputs);
        }
        inputs = outputs;
      }
    }
    draw(std::move(specs), inputs, rng);
  }

  Tensor features(const Tensor& images) const override {
    Tensor a = by_imagenet_colours(images);
    a = at::relu(norm(at::conv2d(a, get("conv1.weight"), {}, /*stride=*/2, /*padding=*/3), "bn1"));
    a = at::max_pool2d(a, 3, /*stride=*/2, /*padding=*/1);
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
      for (std::int64_t block = 0; block < kBlocks; ++block) {
        a = residual(a, block_name(stage, block), stage > 0 && block == 0 ? 2 : 1);
      }
    }
    return a.mean({2, 3});
  }

  std::int64_t feature_dim() const override { return kFirstChannels << (kStages - 1); }

 private:
  [[nodiscard]] Tensor residual(const Tensor& a, const std::string& name,
                                std::int64_t stride) const {
    const auto inner = branch(a, name, stride);
    if (!has(name + "downsample.0.weight")) return at::relu(inner + a);
    const auto shortcut = at::conv2d(a, get(name + "downsample.0.weight"), {}, stride);
    return at::relu(inner + norm(shortcut, name + "downsample.1"));
  }
};

}  // namespace

std::unique_ptr<Backbone> make_resnet18(const BackboneOptions& options, const Rng& rng) {
  return std::make_unique<Resnet18>(options, rng);
}

}  // namespace nw::nn
