// Howard et al. 2017, "MobileNets", table 1: pairs of depthwise 3 x 3 and pointwise convolutions.
// Tensors are named, padded and scaled as in Keras, with kernels in the order out, in, height,
// width.
#include "nw/base/error.hpp"

#include "nn/backbone_layers.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr double kEpsilon = 1e-3, kMomentum = 0.1;
constexpr double kLargest = 6.0;  // of ReLU6
constexpr std::int64_t kFirstChannels = 32;

struct Pair {
  std::int64_t channels, stride;
};
constexpr Pair kPairs[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                           {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};

std::int64_t scaled(std::int64_t channels, double width) {
  return static_cast<std::int64_t>(static_cast<double>(channels) * width);
}

void add_norm(BackboneSpecs& specs, const std::string& layer, std::int64_t channels) {
  specs.constant(layer + "_bn/gamma", channels, 1.0);
  specs.constant(layer + "_bn/beta", channels, 0.0);
  specs.statistic(layer + "_bn/moving_mean", channels, 0.0);
  specs.statistic(layer + "_bn/moving_variance", channels, 1.0);
}

class Mobilenet final : public Backbone {
 public:
  Mobilenet(const BackboneOptions& options, const Rng& rng) : Backbone(options) {
    BackboneSpecs specs;
    std::int64_t inputs = scaled(kFirstChannels, options.width);
    specs.weight("conv1/kernel", {inputs, 3, 3, 3});
    add_norm(specs, "conv1", inputs);
    std::int64_t number = 1;
    for (const Pair& pair : kPairs) {
      const std::int64_t outputs = scaled(pair.channels, options.width);
      const std::string depthwise = concat("conv_dw_", number), point = concat("conv_pw_", number);
      specs.weight(depthwise + "/depthwise_kernel", {inputs, 1, 3, 3});
      add_norm(specs, depthwise, inputs);
      specs.weight(point + "/kernel", {outputs, inputs, 1, 1});
      add_norm(specs, point, outputs);
      inputs = outputs;
      ++number;
    }
    feature_dim_ = inputs;
    if (options.classes > 0) {
      specs.weight("conv_preds/kernel", {options.classes, inputs, 1, 1});
      specs.constant("conv_preds/bias", options.classes, 0.0);
    }
    parameters_ = ParameterSet(std::move(specs.parameters), rng.split(0));
    statistics_ = ParameterSet(std::move(specs.statistics), rng.split(1));
    index_.build(parameters_);
    statistics_index_.build(statistics_);
  }

  Tensor features(const Tensor& images) const override {
    Tensor a = active(convolve(images * 2.0 - 1.0, get("conv1/kernel"), 2, 1), "conv1");
    std::int64_t number = 1;
    for (const Pair& pair : kPairs) {
      const std::string depthwise = concat("conv_dw_", number), point = concat("conv_pw_", number);
      const auto& kernel = get(depthwise + "/depthwise_kernel");
      a = active(convolve(a, kernel, pair.stride, kernel.size(0)), depthwise);
      a = active(at::conv2d(a, get(point + "/kernel")), point);
      ++number;
    }
    return a.mean({2, 3});
  }

  std::int64_t feature_dim() const override { return feature_dim_; }

  Tensor logits(const Tensor& features) const override {
    require(options_.classes > 0, "this backbone has no last layer");
    return at::linear(features, get("conv_preds/kernel").flatten(1), get("conv_preds/bias"));
  }

 private:
  [[nodiscard]] const Tensor& get(const std::string& name) const {
    return index_.get(parameters_, name);
  }

  /// 3 x 3: padded by 1 all round, or at right and bottom alone where it strides.
  [[nodiscard]] static Tensor convolve(const Tensor& a, const Tensor& kernel, std::int64_t stride,
                                       std::int64_t groups) {
    const std::int64_t padding = stride == 1 ? 1 : 0;
    return at::conv2d(stride == 1 ? a : at::constant_pad_nd(a, {0, 1, 0, 1}), kernel, {}, stride,
                      padding, /*dilation=*/1, groups);
  }

  [[nodiscard]] Tensor active(const Tensor& a, const std::string& layer) const {
    const auto statistic = [&](const char* which) {
      return statistics_index_.get(statistics_, layer + which).detach();
    };
    const auto normed =
        at::batch_norm(a, get(layer + "_bn/gamma"), get(layer + "_bn/beta"),
                       statistic("_bn/moving_mean"), statistic("_bn/moving_variance"),
                       /*training=*/false, kMomentum, kEpsilon, /*cudnn_enabled=*/true);
    return at::clamp(normed, 0.0, kLargest);
  }

  TensorIndex index_, statistics_index_;
  std::int64_t feature_dim_ = 0;
};

}  // namespace

std::unique_ptr<Backbone> make_mobilenet(const BackboneOptions& options, const Rng& rng) {
  return std::make_unique<Mobilenet>(options, rng);
}

}  // namespace nw::nn
