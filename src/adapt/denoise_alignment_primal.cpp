// Distances by optimal plans between batches of embeddings. Embeddings have few coordinates, where
// an exact plan between some hundred points takes less time than a critic step and knows nothing of
// Lipschitz control or of a critic that lags behind.
//
// With the plan T of W(P_X, P_{G,pi}) fixed (envelope theorem), the gradient of sum T_ij |x_i -
// y_j| is sum_j T_ij (x_i - y_j) / |x_i - y_j| in x_i and its negative in y_j, and that in pi_k is
// the mean potential of the atoms of component k [NW:dpi].
//
// Nothing but the decoder fixes the scale of embeddings, so distances are taken in units of the
// spread of the source's embeddings: lambda and the rates of components then mean the same for
// digits and for tables.
#include <cmath>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/ot/exact.hpp"

#include "adapt/denoise_alignment.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

enum Stream : std::uint64_t { kComponents = 0, kNoise = 0 };

/// W between points and what its gradients are.
struct Coupled {
  double distance = 0.0;
  Tensor x, y;                    ///< gradients in the points, on the CPU
  std::vector<double> potential;  ///< of every point of Y
};

Coupled couple(const Tensor& x, const Tensor& y, std::span<const double> y_weights) {
  const Matrix from = bridge::to_matrix(x), to = bridge::to_matrix(y);
  // One thread: batches are small, and the plan is the same anyway.
  const auto plan = ot::solve_exact(
      {.source = {.points = from}, .target = {.points = to, .weights = y_weights}}, {.threads = 1});
  Matrix slope_x(from.rows(), from.cols()), slope_y(to.rows(), to.cols());
  for (const auto& flow : plan.plan) {
    const auto a = from.row(flow.source), b = to.row(flow.target);
    double square = 0.0;
    for (std::size_t c = 0; c < a.size(); ++c) square += (a[c] - b[c]) * (a[c] - b[c]);
    if (square == 0.0) continue;  // a kink: zero is one of its slopes
    const double scale = flow.mass / std::sqrt(square);
    for (std::size_t c = 0; c < a.size(); ++c) {
      slope_x(flow.source, c) += scale * (a[c] - b[c]);
      slope_y(flow.target, c) -= scale * (a[c] - b[c]);
    }
  }
  return {.distance = plan.cost,
          .x = bridge::to_tensor(slope_x),
          .y = bridge::to_tensor(slope_y),
          .potential = plan.target_potential};
}

/// Root of the mean squared distance of embeddings from their mean, smoothed over steps.
class Spread {
 public:
  /// Takes the embeddings of a step into account and returns the spread.
  double update(const Tensor& source) {
    const auto now = (source - source.mean(0)).square().sum(1).mean().sqrt().to(torch::kCPU);
    const bool first = spread_.item<float>() == 0.0F;
    spread_.lerp_(now, first ? 1.0 : 1.0 - kKeep);
    spread_.clamp_min_(kLeast);
    return value();
  }
  [[nodiscard]] double value() const { return spread_.item<double>(); }
  [[nodiscard]] const Tensor& state() const noexcept { return spread_; }

 private:
  static constexpr double kKeep = 0.9, kLeast = 1e-6;
  Tensor spread_ = torch::zeros({});
};

class PrimalPlain final : public Alignment {
 public:
  Pull learn(const AlignmentStep& step) override {
    const double unit = spread_.update(step.source);
    const auto coupled = couple(step.source / unit, step.target / unit, {});
    return {.source = coupled.x.to(step.source.device()) / unit,
            .target = coupled.y.to(step.source.device()) / unit,
            .values = {{"distance/plain", torch::tensor(coupled.distance)}}};
  }
  std::vector<train::NamedTensor> state() const override { return {{"spread", spread_.state()}}; }

 private:
  Spread spread_;
};

/// W(f(X_s), P_{G,pi1}) + W(f(X_t), P_{G,pi2}). Components and proportions live on the CPU, and
/// components in units of the spread.
class PrimalMixture final : public Alignment {
 public:
  explicit PrimalMixture(const AlignmentParts& parts)
      : options_(parts.options.game),
        components_(make_components(parts.options, parts.rng.split(kComponents))),
        sampler_(make_components(parts.options, parts.rng.split(kComponents))),
        component_optimizer_(options_.generator, components_->parameters().count(), torch::kCPU) {
    for (std::size_t s = 0; s < 2; ++s) {
      pi_.push_back(nn::Proportions::learnt(parts.options.components));
      sampled_pi_.push_back(pi_.back().clone());
      pi_optimizer_.emplace_back(options_.proportions, parts.options.components, torch::kCPU);
    }
  }

  void begin(const Tensor& source, const Rng& rng) override {
    place_components(*components_, source / spread_.update(source), rng);
    sampler_->parameters().assign(components_->parameters().flat());
  }

  Pull learn(const AlignmentStep& step) override {
    set_rates(step);
    const double unit = spread_.update(step.source);
    const std::int64_t k = components_->components(), rows = options_.batch;
    train::Draws draws(step.rng.split(kNoise), torch::kCPU);
    const auto z = draws.normal({k, rows, components_->options().latent_dim});
    const torch::AutoGradMode with_grad(true);
    const auto atoms = components_->forward(z, 0, nn::Mode::training).flatten(0, 1);
    Tensor slope = torch::zeros_like(atoms);
    Pull pull;
    for (std::size_t s = 0; s < 2; ++s) {
      const auto pi = pi_[s].to_vector();
      std::vector<double> weights;
      for (const double share : pi) {
        weights.insert(weights.end(), static_cast<std::size_t>(rows),
                       share / static_cast<double>(rows));
      }
      const auto& embeddings = s == 0 ? step.source : step.target;
      const auto coupled = couple(embeddings / unit, atoms.detach(), weights);
      slope += coupled.y;
      (s == 0 ? pull.source : pull.target) = coupled.x.to(embeddings.device()) / unit;
      pull.values.emplace_back(s == 0 ? "distance/source" : "distance/target",
                               torch::tensor(coupled.distance));
      const auto potential =
          torch::tensor(coupled.potential, torch::kFloat64).view({k, rows}).mean(1);
      pi_optimizer_[s].step(pi_[s].logits(), pi_[s].logit_gradient(potential.to(torch::kFloat32)));
      follow(sampled_pi_[s].logits(), pi_[s].logits(), options_.averaging, step.step);
    }
    const auto& leaves = components_->parameters().leaves();
    component_optimizer_.step(
        components_->parameters().flat(),
        components_->parameters().flatten(torch::autograd::grad({atoms}, leaves, {slope})));
    follow(sampler_->parameters().flat(), components_->parameters().flat(), options_.averaging,
           step.step);
    return pull;
  }

  std::vector<train::NamedTensor> state() const override {
    std::vector<train::NamedTensor> state{{"components", components_->parameters().flat()},
                                          {"sampler", sampler_->parameters().flat()},
                                          {"spread", spread_.state()}};
    const auto add = [&](const std::string& name, const train::Optimizer& optimizer) {
      const auto tensors = optimizer.state();
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        state.emplace_back(concat(name, ".optimizer.", i), tensors[i]);
      }
    };
    add("components", component_optimizer_);
    for (std::size_t s = 0; s < 2; ++s) {
      state.emplace_back(concat("logits", s), pi_[s].logits());
      state.emplace_back(concat("sampler.logits", s), sampled_pi_[s].logits());
      add(concat("logits", s), pi_optimizer_[s]);
    }
    return state;
  }
  std::vector<std::vector<double>> proportions() const override {
    return {sampled_pi_[0].to_vector(), sampled_pi_[1].to_vector()};
  }
  nn::MixtureDraw sample(std::int64_t count, std::size_t side, const Rng& rng) const override {
    auto draw = nn::draw_mixture(*sampler_, sampled_pi_[side].to_vector(), count, rng);
    draw.rows = draw.rows * spread_.value();
    return draw;
  }

 private:
  void set_rates(const AlignmentStep& step) {
    const double factor = step.rate * options_.schedule.factor(step.step, step.steps);
    component_optimizer_.set_rate_factor(factor);
    for (auto& optimizer : pi_optimizer_) optimizer.set_rate_factor(factor);
  }

  train::MixtureGameOptions options_;
  Spread spread_;
  std::unique_ptr<nn::MixtureGenerator> components_, sampler_;
  std::vector<nn::Proportions> pi_, sampled_pi_;  // of source and target
  train::Optimizer component_optimizer_;
  std::vector<train::Optimizer> pi_optimizer_;
};

}  // namespace

std::unique_ptr<Alignment> make_primal_alignment(const AlignmentParts& parts) {
  if (parts.options.method == DenoiseMethod::nw) return std::make_unique<PrimalMixture>(parts);
  return std::make_unique<PrimalPlain>();
}

}  // namespace nw::adapt
