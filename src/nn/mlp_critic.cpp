#include "nw/base/error.hpp"

#include "nn/critic_kinds.hpp"
#include "nn/kernels/mlp_pass.hpp"
#include "nn/spectral_critic.hpp"

namespace nw::nn {
namespace {

class MlpCritic final : public SpectralCritic {
 public:
  MlpCritic(const CriticOptions& options, const Rng& rng) : slope_(options.slope) {
    require(!options.hidden.empty(), "CriticOptions.hidden must have at least one width");
    ParameterSpecs specs;
    std::int64_t inputs = options.data_dim;
    for (const auto width : options.hidden) {
      add_linear(specs, "linear" + std::to_string(specs.size() / 2), inputs, width);
      inputs = width;
    }
    add_linear(specs, "linear" + std::to_string(specs.size() / 2), inputs, 1);
    draw_parameters(std::move(specs), options, rng);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      (i % 2 == 0 ? layout_.weight_offset : layout_.bias_offset).push_back(parameters_.offset(i));
    }
    layout_.count = parameters_.count();
  }

  torch::Tensor forward(const torch::Tensor& points) const override {
    torch::Tensor a = points;
    for (std::size_t i = 0; i < parameters_.size(); i += 2) {
      a = at::linear(a, weight(i), parameters_[i + 1]);
      if (i + 2 < parameters_.size()) a = at::leaky_relu(a, slope_);
    }
    return a.squeeze(1);
  }

  ParameterGradient parameter_gradient(const WeightedBatch& batch,
                                       const std::optional<PenaltyBatch>& penalty) const override {
    // The passes by hand differentiate in the weights they are given, not through the division by
    // the singular value.
    if (has_spectral_norm()) return Critic::parameter_gradient(batch, penalty);
    return batch.points.is_cpu() ? mlp_parameter_gradient(view(), layout_, batch, penalty)
                                 : mlp_parameter_gradient_whole(view(), layout_, batch, penalty);
  }

  PointGradient point_gradient(const WeightedBatch& batch) const override {
    return batch.points.is_cpu() ? mlp_point_gradient(view(), batch)
                                 : mlp_point_gradient_whole(view(), batch);
  }

 private:
  [[nodiscard]] MlpView view() const {
    MlpView mlp{.weights = {}, .biases = {}, .slope = slope_};
    for (std::size_t i = 0; i < parameters_.size(); i += 2) {
      mlp.weights.push_back(weight(i));
      mlp.biases.push_back(parameters_[i + 1]);
    }
    return mlp;
  }

  double slope_;
  MlpLayout layout_;
};

}  // namespace

std::unique_ptr<Critic> make_mlp_critic(const CriticOptions& options, const Rng& rng) {
  return std::make_unique<MlpCritic>(options, rng);
}

}  // namespace nw::nn
