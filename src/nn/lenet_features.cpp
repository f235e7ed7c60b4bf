// The feature network of the paper's table "Domain adaptation for MNIST -> MNIST-M experiments",
// after Ganin and Lempitsky 2015: two 5 x 5 convolutions, each with ReLU and a 2 x 2 pooling. Batch
// norm and dropout are not in the table; the recipes say who has them.
#include "nn/dropout.hpp"
#include "nn/feature_kinds.hpp"
#include "nn/layer_specs.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kKernel = 5;

/// Pixels left of a side after a convolution and a pooling.
std::int64_t after_stage(std::int64_t side) {
  return (side - kKernel + 1) / 2;
}

class LeNetFeatures final : public NormedFeatures {
 public:
  LeNetFeatures(const FeatureOptions& options, const Rng& rng) : NormedFeatures(options) {
    ParameterSpecs specs;
    std::int64_t inputs = options.image.channels;
    for (std::size_t stage = 0; stage < options.hidden.size(); ++stage) {
      const std::string name = "conv" + std::to_string(stage);
      const std::int64_t outputs = options.hidden[stage];
      add_convolution(specs, name, inputs, outputs, kKernel);
      if (normed()) add_norm(specs, name, outputs);
      inputs = outputs;
    }
    parameters_ = ParameterSet(std::move(specs), rng);
  }

  std::int64_t feature_dim() const override {
    const auto& image = options_.image;
    return options_.hidden.back() * after_stage(after_stage(image.height)) *
           after_stage(after_stage(image.width));
  }

 protected:
  Tensor features(const FeatureRows& rows, const FeaturePass& pass) const override {
    // The first stage takes the parts apart: a grey one costs a third of a coloured one.
    FeatureRows a{.source = first_convolution(rows.source),
                  .target = first_convolution(rows.target)};
    a = second_half(a, 0, pass);
    const std::size_t p = parameters_.size() / 2;
    const auto both = joined(a);
    a = {.source = convolution(both, parameters_[p], parameters_[p + 1]), .target = {}};
    if (options_.norm == FeatureNorm::by_domain && rows.source.defined()) {
      const std::int64_t sources = rows.source.size(0), all = both.size(0);
      a = {.source = a.source.narrow(0, 0, sources),
           .target = sources < all ? a.source.narrow(0, sources, all - sources) : Tensor()};
    } else if (options_.norm == FeatureNorm::by_domain) {
      std::swap(a.source, a.target);
    }
    const auto last = joined(second_half(a, 1, pass));
    return dropped(last, options_.dropout, {last.size(0), last.size(1), 1, 1}, pass.uniform)
        .flatten(1);
  }

 private:
  /// A grey image is one with equal channels: its convolution has the channels' weights added up.
  [[nodiscard]] Tensor first_convolution(const Tensor& images) const {
    if (!images.defined()) return images;
    const bool grey = images.size(1) == 1 && options_.image.channels > 1;
    const auto weight = grey ? parameters_[0].sum(1, /*keepdim=*/true) : parameters_[0];
    return convolution(images, weight, parameters_[1]);
  }

  /// Without a norm, the bias is added after pooling: see second_half.
  [[nodiscard]] Tensor convolution(const Tensor& images, const Tensor& weight,
                                   const Tensor& bias) const {
    return at::conv2d(images, weight, normed() ? bias : Tensor());
  }

  /// What follows the convolution of a stage: batch norm or bias, pooling and ReLU. Pooling
  /// commutes with ReLU and with a bias, and both are cheaper on a quarter of the values.
  [[nodiscard]] FeatureRows second_half(FeatureRows a, std::size_t stage,
                                        const FeaturePass& pass) const {
    if (normed()) {
      const std::size_t p = stage * 4;
      a = domain_batch_norm(a, parameters_[p + 2], parameters_[p + 3], moments_[stage], pass.mode);
    }
    const auto shrunk = [&](const Tensor& part) {
      if (!part.defined()) return part;
      const auto pooled = at::max_pool2d(part, {2, 2});
      return at::relu(normed() ? pooled : pooled + parameters_[2 * stage + 1].view({1, -1, 1, 1}));
    };
    return {.source = shrunk(a.source), .target = shrunk(a.target)};
  }

  [[nodiscard]] bool normed() const { return options_.norm != FeatureNorm::none; }
};

}  // namespace

FeaturePtr make_lenet_features(const FeatureOptions& options, const Rng& rng) {
  return std::make_unique<LeNetFeatures>(options, rng);
}

}  // namespace nw::nn
