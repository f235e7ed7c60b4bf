// He, Zhang, Ren and Sun 2016, section 4.2: residual networks of 6n + 2 layers for the 32 x 32
// images of CIFAR-10, with shortcuts without parameters (option A): every second pixel, and zeros
// for the channels that are new, as many before as after the old ones.
#include "nn/backbone_residual.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kStages = 3, kFirstChannels = 16;

class CifarResnet final : public ResidualBackbone {
 public:
  CifarResnet(const BackboneOptions& options, const Rng& rng)
      : ResidualBackbone(options, "linear") {
    BackboneSpecs specs;
    specs.weight("conv1.weight", {kFirstChannels, 3, 3, 3});
    add_norm(specs, "bn1", kFirstChannels);
    std::int64_t inputs = kFirstChannels;
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
      const std::int64_t outputs = kFirstChannels << stage;
      for (std::int64_t block = 0; block < options.blocks; ++block) {
        add_branch(specs, block_name(stage, block), inputs, outputs);
        inputs = outputs;
      }
    }
    draw(std::move(specs), inputs, rng);
  }

  Tensor features(const Tensor& images) const override {
    Tensor a = at::conv2d(by_imagenet_colours(images), get("conv1.weight"), {}, 1, /*padding=*/1);
    a = at::relu(norm(a, "bn1"));
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
      for (std::int64_t block = 0; block < options_.blocks; ++block) {
        a = residual(a, block_name(stage, block), stage > 0 && block == 0);
      }
    }
    return a.mean({2, 3});
  }

  std::int64_t feature_dim() const override { return kFirstChannels << (kStages - 1); }

 private:
  [[nodiscard]] Tensor residual(const Tensor& a, const std::string& name, bool halve) const {
    return at::relu(branch(a, name, halve ? 2 : 1) + (halve ? halved(a) : a));
  }

  static Tensor halved(const Tensor& a) {
    const std::int64_t side = a.size(1) / 2;
    const auto half = a.slice(2, 0, a.size(2), 2).slice(3, 0, a.size(3), 2);
    return at::constant_pad_nd(half, {0, 0, 0, 0, side, side});
  }
};

}  // namespace

std::unique_ptr<Backbone> make_cifar_resnet(const BackboneOptions& options, const Rng& rng) {
  return std::make_unique<CifarResnet>(options, rng);
}

}  // namespace nw::nn
