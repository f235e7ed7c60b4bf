// He, Zhang, Ren and Sun 2016, "Deep residual learning for image recognition", table 1, 18 layers;
// tensors are named as torchvision's resnet18 names them, and images are scaled as it expects.
#include "nw/base/error.hpp"

#include "nn/backbone_layers.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr double kEpsilon = 1e-5, kMomentum = 0.1;
constexpr std::int64_t kStages = 4, kBlocks = 2, kFirstChannels = 64;
// Mean and deviation of ImageNet's colours.
constexpr float kMean[] = {0.485F, 0.456F, 0.406F}, kDeviation[] = {0.229F, 0.224F, 0.225F};

void add_norm(BackboneSpecs& specs, const std::string& name, std::int64_t channels) {
  specs.constant(name + ".weight", channels, 1.0);
  specs.constant(name + ".bias", channels, 0.0);
  specs.statistic(name + ".running_mean", channels, 0.0);
  specs.statistic(name + ".running_var", channels, 1.0);
}

std::string block_name(std::int64_t stage, std::int64_t block) {
  return concat("layer", stage + 1, ".", block, ".");
}

class Resnet18 final : public Backbone {
 public:
  Resnet18(const BackboneOptions& options, const Rng& rng) : Backbone(options) {
    BackboneSpecs specs;
    specs.weight("conv1.weight", {kFirstChannels, 3, 7, 7});
    add_norm(specs, "bn1", kFirstChannels);
    std::int64_t inputs = kFirstChannels;
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
      const std::int64_t outputs = kFirstChannels << stage;
      for (std::int64_t block = 0; block < kBlocks; ++block) {
        const std::string name = block_name(stage, block);
        specs.weight(name + "conv1.weight", {outputs, inputs, 3, 3});
        add_norm(specs, name + "bn1", outputs);
        specs.weight(name + "conv2.weight", {outputs, outputs, 3, 3});
        add_norm(specs, name + "bn2", outputs);
        if (inputs != outputs) {
          specs.weight(name + "downsample.0.weight", {outputs, inputs, 1, 1});
          add_norm(specs, name + "downsample.1", outputs);
        }
        inputs = outputs;
      }
    }
    if (options.classes > 0) {
      specs.weight("fc.weight", {options.classes, inputs});
      specs.constant("fc.bias", options.classes, 0.0);
    }
    parameters_ = ParameterSet(std::move(specs.parameters), rng.split(0));
    statistics_ = ParameterSet(std::move(specs.statistics), rng.split(1));
    index_.build(parameters_);
    statistics_index_.build(statistics_);
  }

  Tensor features(const Tensor& images) const override {
    const auto colours = [&](const float(&values)[3]) {
      return torch::tensor({values[0], values[1], values[2]}, images.options()).view({1, 3, 1, 1});
    };
    Tensor a = (images - colours(kMean)) / colours(kDeviation);
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

  Tensor logits(const Tensor& features) const override {
    require(options_.classes > 0, "this backbone has no last layer");
    return at::linear(features, get("fc.weight"), get("fc.bias"));
  }

 private:
  [[nodiscard]] const Tensor& get(const std::string& name) const {
    return index_.get(parameters_, name);
  }

  [[nodiscard]] Tensor norm(const Tensor& a, const std::string& name) const {
    const auto statistic = [&](const char* which) {
      return statistics_index_.get(statistics_, name + which).detach();
    };
    return at::batch_norm(a, get(name + ".weight"), get(name + ".bias"), statistic(".running_mean"),
                          statistic(".running_var"), /*training=*/false, kMomentum, kEpsilon,
                          /*cudnn_enabled=*/true);
  }

  [[nodiscard]] Tensor residual(const Tensor& a, const std::string& name,
                                std::int64_t stride) const {
    Tensor inner = at::conv2d(a, get(name + "conv1.weight"), {}, stride, /*padding=*/1);
    inner = at::relu(norm(inner, name + "bn1"));
    inner = norm(at::conv2d(inner, get(name + "conv2.weight"), {}, 1, /*padding=*/1), name + "bn2");
    if (!index_.contains(name + "downsample.0.weight")) return at::relu(inner + a);
    const auto shortcut = at::conv2d(a, get(name + "downsample.0.weight"), {}, stride);
    return at::relu(inner + norm(shortcut, name + "downsample.1"));
  }

  TensorIndex index_, statistics_index_;
};

}  // namespace

std::unique_ptr<Backbone> make_resnet18(const BackboneOptions& options, const Rng& rng) {
  return std::make_unique<Resnet18>(options, rng);
}

}  // namespace nw::nn
