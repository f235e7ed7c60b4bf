// The feature network of the paper's table "Domain adaptation for MNIST -> MNIST-M experiments",
// after Ganin and Lempitsky 2015: two 5 x 5 convolutions, each with ReLU and a 2 x 2 pooling. Batch
// norm and dropout are not in the table; the recipes say who has them.
#include "nn/dropout.hpp"
#include "nn/feature_kinds.hpp"
#include "nn/kernels/lenet_stage.hpp"
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
    return normed() ? with_norms(rows, pass) : without_norms(rows, pass);
  }

 private:
  /// Filters of the first stage for these images. A grey image is one with equal channels: its
  /// convolution has the channels' weights added up, and costs a third of a coloured one's.
  [[nodiscard]] Tensor first_filters(const Tensor& images) const {
    const bool grey = images.size(1) == 1 && options_.image.channels > 1;
    return grey ? parameters_[0].sum(1, /*keepdim=*/true) : parameters_[0];
  }

  [[nodiscard]] Tensor without_norms(const FeatureRows& rows, const FeaturePass& pass) const {
    const auto first = [&](const Tensor& images) {
      return images.defined() ? pooled_convolution(images, first_filters(images), parameters_[1])
                              : images;
    };
    const auto second = at::conv2d(
        joined({.source = first(rows.source), .target = first(rows.target)}), parameters_[2]);
    ChannelDropout dropout{.share = options_.dropout};
    if (dropout.share > 0.0 && pass.uniform) {
      dropout.uniform = pass.uniform({second.size(0), second.size(1), 1, 1}).flatten(1);
    }
    return pooled_rows(second, parameters_[3], dropout);
  }

  [[nodiscard]] Tensor with_norms(const FeatureRows& rows, const FeaturePass& pass) const {
    const auto first = [&](const Tensor& images) {
      return images.defined() ? at::conv2d(images, first_filters(images), parameters_[1]) : images;
    };
    FeatureRows a{.source = first(rows.source), .target = first(rows.target)};
    a = second_half(a, 0, pass);
    const auto both = joined(a);
    a = {.source = at::conv2d(both, parameters_[4], parameters_[5]), .target = {}};
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

  /// What follows the convolution of a stage with a norm: batch norm, pooling and ReLU, which
  /// commutes with pooling and is cheaper on a quarter of the values.
  [[nodiscard]] FeatureRows second_half(FeatureRows a, std::size_t stage,
                                        const FeaturePass& pass) const {
    const std::size_t p = stage * 4;
    a = domain_batch_norm(a, parameters_[p + 2], parameters_[p + 3], moments_[stage], pass);
    const auto shrunk = [](const Tensor& part) {
      return part.defined() ? at::relu(at::max_pool2d(part, {2, 2})) : part;
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
