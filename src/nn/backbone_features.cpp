// Features of a network that was trained elsewhere and is fine-tuned: its penultimate layer, as in
// the paper's table "Domain adaptation on VISDA dataset", or new layers after it. Batch norms
// inside keep the moments they came with; those of the new layers are as for tables.
#include "nn/feature_kinds.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

class BackboneFeatures final : public FeatureNetwork {
 public:
  BackboneFeatures(const FeatureOptions& options, const Rng& rng)
      : FeatureNetwork(options), backbone_(make_backbone(options.backbone, rng)) {
    if (options.weights) backbone_->load(*options.weights);
    if (!options.head.empty()) {
      head_ = make_mlp_features({.kind = FeatureKind::mlp,
                                 .data_dim = backbone_->feature_dim(),
                                 .hidden = options.head,
                                 .norm = options.norm,
                                 .dropout = options.dropout},
                                rng.split(1));
    }
    share_parameters();
  }

  std::int64_t feature_dim() const override {
    return head_ ? head_->feature_dim() : backbone_->feature_dim();
  }
  std::int64_t pretrained() const override { return backbone_->parameters().count(); }

  std::vector<Tensor> buffers() const override {
    std::vector<Tensor> result;
    if (head_) result = head_->buffers();
    result.push_back(backbone_->statistics().flat());
    return result;
  }

  void to(const torch::Device& device) override {
    backbone_->to(device);
    if (head_) head_->to(device);
    share_parameters();
  }

 protected:
  Tensor features(const FeatureRows& rows, const FeaturePass& pass) const override {
    const auto seen = [&](const Tensor& images) {
      return images.defined() ? backbone_images((images + 1.0) / 2.0, options_.side) : images;
    };
    const Tensor all =
        backbone_->features(joined({.source = seen(rows.source), .target = seen(rows.target)}));
    if (!head_) return all;
    const std::int64_t sources = rows.source.defined() ? rows.source.size(0) : 0;
    return head_->forward(parted(all, sources), pass);
  }

 private:
  /// The parameters of this network are those of its parts, in the same memory.
  void share_parameters() {
    parameters_ = head_ ? ParameterSet::joined(backbone_->parameters(), head_->parameters())
                        : backbone_->parameters();
  }

  std::unique_ptr<Backbone> backbone_;
  FeaturePtr head_;
};

}  // namespace

FeaturePtr make_backbone_features(const FeatureOptions& options, const Rng& rng) {
  return std::make_unique<BackboneFeatures>(options, rng);
}

}  // namespace nw::nn
