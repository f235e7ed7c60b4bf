// Features of tables: linear layers with ReLU after each but the last. Where there are norms, one
// comes before the first layer too: columns of one domain then have mean 0 and variance 1, whatever
// they have in the other. Dropout takes columns of single rows away before the first layer; the
// moments that sampling uses after it are those of training, with columns dropped.
#include "nn/dropout.hpp"
#include "nn/feature_kinds.hpp"
#include "nn/layer_specs.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

class MlpFeatures final : public NormedFeatures {
 public:
  MlpFeatures(const FeatureOptions& options, const Rng& rng) : NormedFeatures(options) {
    ParameterSpecs specs;
    std::int64_t inputs = options.data_dim;
    if (normed()) add_norm(specs, "input", inputs);
    for (std::size_t layer = 0; layer < options.hidden.size(); ++layer) {
      const std::string name = "linear" + std::to_string(layer);
      const std::int64_t outputs = options.hidden[layer];
      add_linear(specs, name, inputs, outputs);
      if (normed(layer)) add_norm(specs, name, outputs);
      inputs = outputs;
    }
    parameters_ = ParameterSet(std::move(specs), rng);
  }

  std::int64_t feature_dim() const override { return options_.hidden.back(); }

 protected:
  Tensor features(const FeatureRows& rows, const FeaturePass& pass) const override {
    FeatureRows a = rows;
    std::size_t p = 0, norm = 0;
    const auto normalise = [&] {
      a = domain_batch_norm(a, parameters_[p], parameters_[p + 1], moments_[norm++], pass);
      p += 2;
    };
    if (normed()) normalise();
    if (options_.dropout > 0.0 && pass.uniform) a = with_columns_dropped(a, pass);
    for (std::size_t layer = 0; layer < options_.hidden.size(); ++layer) {
      const bool last = layer + 1 == options_.hidden.size();
      const auto on_parts = [&](const auto& work) {
        if (a.source.defined()) a.source = work(a.source);
        if (a.target.defined()) a.target = work(a.target);
      };
      on_parts([&](const Tensor& x) { return at::linear(x, parameters_[p], parameters_[p + 1]); });
      p += 2;
      if (normed(layer)) normalise();
      if (!last) on_parts([](const Tensor& x) { return at::relu(x); });
    }
    return joined(a);
  }

 private:
  FeatureRows with_columns_dropped(const FeatureRows& rows, const FeaturePass& pass) const {
    const auto all = joined(rows);
    return parted(dropped(all, options_.dropout, all.sizes(), pass.uniform),
                  rows.source.defined() ? rows.source.size(0) : 0);
  }

  [[nodiscard]] bool normed() const { return options_.norm != FeatureNorm::none; }
  /// The last layer keeps its scale: features may be brought to unit length after it.
  [[nodiscard]] bool normed(std::size_t layer) const {
    return normed() && layer + 1 < options_.hidden.size();
  }
};

}  // namespace

FeaturePtr make_mlp_features(const FeatureOptions& options, const Rng& rng) {
  return std::make_unique<MlpFeatures>(options, rng);
}

}  // namespace nw::nn
