// Features of a network that was trained elsewhere and learns on: its penultimate layer, as in the
// paper's table "Domain adaptation on VISDA dataset". Batch norms inside keep the moments they came
// with; the one after the last layer, where there is one, takes away each domain's own mean and
// scale.
#include "nn/feature_kinds.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

class BackboneFeatures final : public NormedFeatures {
 public:
  BackboneFeatures(const FeatureOptions& options, const Rng& rng)
      : NormedFeatures(options), backbone_(make_backbone(options.backbone, rng)) {
    if (options.weights) backbone_->load(*options.weights);
    parameters_ = backbone_->parameters();  // the same memory
    if (normed()) moments_.emplace_back(options.norm, feature_dim());
    // No scale and shift of the norm: the classifier has its own.
    scale_ = torch::ones({feature_dim()});
    shift_ = torch::zeros({feature_dim()});
  }

  std::int64_t feature_dim() const override { return backbone_->feature_dim(); }

  std::vector<Tensor> buffers() const override {
    auto result = NormedFeatures::buffers();
    result.push_back(backbone_->statistics().flat());
    return result;
  }

  void to(const torch::Device& device) override {
    NormedFeatures::to(device);
    backbone_->to(device);
    parameters_ = backbone_->parameters();
    scale_ = scale_.to(device);
    shift_ = shift_.to(device);
  }

 protected:
  Tensor features(const FeatureRows& rows, const FeaturePass& pass) const override {
    const auto seen = [&](const Tensor& images) {
      return images.defined() ? backbone_images((images + 1.0) / 2.0, options_.side) : images;
    };
    const FeatureRows images{.source = seen(rows.source), .target = seen(rows.target)};
    const Tensor all = backbone_->features(joined(images));
    if (!normed()) return all;
    if (!images.source.defined()) {
      return joined(
          domain_batch_norm({.source = {}, .target = all}, scale_, shift_, moments_.front(), pass));
    }
    const std::int64_t sources = images.source.size(0), targets = all.size(0) - sources;
    return joined(
        domain_batch_norm({.source = all.narrow(0, 0, sources),
                           .target = targets > 0 ? all.narrow(0, sources, targets) : Tensor()},
                          scale_, shift_, moments_.front(), pass));
  }

 private:
  [[nodiscard]] bool normed() const { return options_.norm != FeatureNorm::none; }

  std::unique_ptr<Backbone> backbone_;
  Tensor scale_, shift_;
};

}  // namespace

FeaturePtr make_backbone_features(const FeatureOptions& options, const Rng& rng) {
  return std::make_unique<BackboneFeatures>(options, rng);
}

}  // namespace nw::nn
