// A small network of the usual modern make for small images: blocks of two 3 x 3 convolutions with
// norms, each half the size of the one before, the mean over what is left of the image, and a
// linear layer. Images come in with mean 0 and variance 1 in every channel of their own, so that
// brightness and contrast, which domains differ in, say nothing.
#include "nn/dropout.hpp"
#include "nn/feature_kinds.hpp"
#include "nn/layer_specs.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kKernel = 3;
constexpr double kSlope = 0.1;  // of leaky ReLUs
constexpr double kFlat = 4e-3;  // variance that a channel without contrast is taken to have

/// Each channel of each image with mean 0 and variance 1.
Tensor standardised(const Tensor& images) {
  const auto centred = images - images.mean({2, 3}, /*keepdim=*/true);
  return centred / (centred.square().mean({2, 3}, /*keepdim=*/true) + kFlat).sqrt();
}

class SmallFeatures final : public NormedFeatures {
 public:
  SmallFeatures(const FeatureOptions& options, const Rng& rng) : NormedFeatures(options) {
    ParameterSpecs specs;
    std::int64_t inputs = options.image.channels;
    for (std::size_t block = 0; block + 1 < options.hidden.size(); ++block) {
      for (const char* half : {"a", "b"}) {
        const std::string name = "conv" + std::to_string(block) + half;
        const std::int64_t outputs = options.hidden[block];
        specs.push_back({name + ".weight",
                         {outputs, inputs, kKernel, kKernel},
                         layer_half_width(inputs * kKernel * kKernel)});
        add_norm(specs, name, outputs);
        inputs = outputs;
      }
    }
    add_linear(specs, "linear", inputs, options.hidden.back());
    parameters_ = ParameterSet(std::move(specs), rng);
  }

  std::int64_t feature_dim() const override { return options_.hidden.back(); }

 protected:
  Tensor features(const FeatureRows& rows, const FeaturePass& pass) const override {
    // Parts that have moments of their own stay apart to the end: joining them copies them.
    FeatureRows a{.source = prepared(rows.source), .target = prepared(rows.target)};
    const auto on_parts = [&](const auto& work) {
      if (a.source.defined()) a.source = work(a.source);
      if (a.target.defined()) a.target = work(a.target);
    };
    for (std::size_t half = 0; half < moments_.size(); ++half) {
      const std::size_t p = half * 3;
      on_parts([&](const Tensor& x) {
        return at::conv2d(x, parameters_[p], {}, /*stride=*/1, /*padding=*/kKernel / 2);
      });
      a = domain_batch_norm(a, parameters_[p + 1], parameters_[p + 2], moments_[half], pass);
      on_parts([&](const Tensor& x) {
        const auto bent = at::leaky_relu(x, kSlope);
        if (half % 2 == 0) return bent;
        const auto shrunk = at::max_pool2d(bent, {2, 2});
        return dropped(shrunk, options_.dropout, shrunk.sizes(), pass.uniform);
      });
    }
    on_parts([](const Tensor& x) { return x.mean({2, 3}); });
    const std::size_t last = moments_.size() * 3;
    return at::linear(joined(a), parameters_[last], parameters_[last + 1]);
  }

 private:
  /// Grey images become coloured ones with equal channels.
  [[nodiscard]] Tensor prepared(const Tensor& images) const {
    if (!images.defined()) return images;
    const auto coloured = standardised(images).expand({-1, options_.image.channels, -1, -1});
    return coloured.contiguous(images.is_cuda() ? at::MemoryFormat::ChannelsLast
                                                : at::MemoryFormat::Contiguous);
  }
};

}  // namespace

FeaturePtr make_small_features(const FeatureOptions& options, const Rng& rng) {
  return std::make_unique<SmallFeatures>(options, rng);
}

}  // namespace nw::nn
