// Private: one factory per kind of feature network, and the batch norm they share.
#pragma once

#include "nw/nn/feature_network.hpp"

#include "nn/layer_specs.hpp"

namespace nw::nn {

using FeaturePtr = std::unique_ptr<FeatureNetwork>;

[[nodiscard]] FeaturePtr make_lenet_features(const FeatureOptions& options, const Rng& rng);
[[nodiscard]] FeaturePtr make_small_features(const FeatureOptions& options, const Rng& rng);
[[nodiscard]] FeaturePtr make_mlp_features(const FeatureOptions& options, const Rng& rng);
[[nodiscard]] FeaturePtr make_backbone_features(const FeatureOptions& options, const Rng& rng);

/// Running moments of one batch norm, one row per domain (a single one for FeatureNorm::joint).
struct DomainMoments {
  torch::Tensor mean, variance;  ///< [domains, channels]
  DomainMoments(FeatureNorm norm, std::int64_t channels);
};

/// A feature network whose layers may have a batch norm each.
class NormedFeatures : public FeatureNetwork {
 public:
  using FeatureNetwork::FeatureNetwork;
  [[nodiscard]] std::vector<torch::Tensor> buffers() const override;
  void to(const torch::Device& device) override;

 protected:
  /// The parameters of a batch norm after layer `name`, and its moments.
  void add_norm(ParameterSpecs& specs, const std::string& name, std::int64_t channels);

  std::vector<DomainMoments> moments_;  ///< one for each batch norm, in order
};

/// Both parts one after the other; either may be undefined.
[[nodiscard]] torch::Tensor joined(const FeatureRows& parts);
/// The parts of joined rows, the first `sources` of which are the source's; one without rows is
/// undefined.
[[nodiscard]] FeatureRows parted(const torch::Tensor& all, std::int64_t sources);

/// Batch norm of both parts [n, channels, ...] with scale and shift [channels]: over all rows, or
/// over each part, by the moments; in training over the rows of all processes of the pass.
[[nodiscard]] FeatureRows domain_batch_norm(const FeatureRows& parts, const torch::Tensor& scale,
                                            const torch::Tensor& shift,
                                            const DomainMoments& moments, const FeaturePass& pass);

}  // namespace nw::nn
