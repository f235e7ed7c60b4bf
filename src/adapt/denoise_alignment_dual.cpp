// Distances by critics, as the paper computes them. W_N is the two-sided game of
// train/mixture_game.hpp [NW:dual] played on embeddings that move: its data sources are the encoder
// applied to rows. Of its objective, E D1(f(X_s)) + E D2(f(X_t)) depends on the encoder.
#include "nw/nn/lipschitz.hpp"

#include "adapt/denoise_alignment.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

enum Stream : std::uint64_t { kComponents = 0, kGame = 1, kCritics = 2 };

/// Embeddings of rows under an encoder that learns: fresh ones, or those it was handed last.
class EmbeddingSource final : public train::DataSource {
 public:
  EmbeddingSource(Tensor rows, std::shared_ptr<const Autoencoder> networks, std::int64_t held)
      : rows_(std::move(rows)), networks_(std::move(networks)) {
    if (held > 0) held_ = torch::zeros({held, dim()});
  }
  Tensor draw(std::int64_t count, train::Draws& draws) const override {
    const torch::NoGradGuard no_grad;
    if (held_.defined() && count == held_.size(0)) return held_;
    return networks_->encode(rows_.index_select(0, draws.indices(count, rows_.size(0))));
  }
  /// In place: a recorded graph reads them where they are.
  void hold(const Tensor& embeddings) {
    const torch::NoGradGuard no_grad;
    if (held_.defined()) held_.copy_(embeddings);
  }
  std::int64_t dim() const override { return networks_->options().embedding; }
  void to(const torch::Device& device) override {
    rows_ = rows_.to(device);
    if (held_.defined()) held_ = held_.to(device);
  }

 private:
  Tensor rows_, held_;
  std::shared_ptr<const Autoencoder> networks_;
};

struct Sources {
  explicit Sources(const AlignmentParts& parts) {
    const std::int64_t held = parts.options.one_batch ? parts.options.game.batch : 0;
    source = std::make_shared<EmbeddingSource>(parts.data.source, parts.networks, held);
    target = std::make_shared<EmbeddingSource>(parts.data.target, parts.networks, held);
    source->to(parts.device);
    target->to(parts.device);
  }
  std::shared_ptr<EmbeddingSource> source, target;
};

nn::CriticOptions critic_options(const DenoiseOptions& options) {
  return {.data_dim = options.network.embedding,
          .hidden = options.critic_hidden,
          .slope = options.critic_slope};
}

/// Gradient in the points of sum_i D(x_i) / n.
Tensor mean_slope(const nn::Critic& critic, const Tensor& points) {
  const auto n = points.size(0);
  return critic
      .point_gradient({.points = points,
                       .weights = torch::full({n}, 1.0 / static_cast<double>(n), points.options())})
      .gradient;
}

class DualMixture final : public Alignment {
 public:
  explicit DualMixture(const AlignmentParts& parts) : sources_(parts) {
    auto components = make_components(parts.options, parts.rng.split(kComponents));
    components_ = components.get();
    std::vector<train::Side> sides;
    for (const auto& embeddings : {sources_.source, sources_.target}) {
      sides.push_back(
          {embeddings,
           nn::make_critic(critic_options(parts.options), parts.rng.split(kCritics + sides.size())),
           nn::Proportions::learnt(parts.options.components)});
    }
    game_ = std::make_unique<train::MixtureGame>(
        parts.options.game, train::Players{std::move(components), std::move(sides)},
        parts.rng.split(kGame), parts.device);
  }

  void begin(const Tensor& source, const Rng& rng) override {
    place_components(*components_, source, rng);
  }
  Pull learn(const AlignmentStep& step) override {
    sources_.source->hold(step.source);
    sources_.target->hold(step.target);
    auto values = game_->step(step.step, step.steps, step.rate).values;
    return {.source = mean_slope(game_->critic(0), step.source),
            .target = mean_slope(game_->critic(1), step.target),
            .values = std::move(values)};
  }
  std::vector<train::NamedTensor> state() const override { return game_->state(); }
  std::vector<std::vector<double>> proportions() const override { return game_->proportions(); }
  nn::MixtureDraw sample(std::int64_t count, std::size_t side, const Rng& rng) const override {
    return game_->sample(count, side, rng);
  }

 private:
  Sources sources_;
  nn::MixtureGenerator* components_ = nullptr;  // owned by game_
  std::unique_ptr<train::MixtureGame> game_;
};

/// W(f(X_s), f(X_t)) by one critic.
class DualPlain final : public Alignment {
 public:
  explicit DualPlain(const AlignmentParts& parts)
      : sources_(parts),
        options_(parts.options.game),
        device_(parts.device),
        critic_(nn::make_critic(critic_options(parts.options), parts.rng.split(kCritics))) {
    critic_->to(device_);
    optimizer_ = train::Optimizer(options_.critic, critic_->parameters().count(), device_);
  }

  Pull learn(const AlignmentStep& step) override {
    sources_.source->hold(step.source);
    sources_.target->hold(step.target);
    const double decay = options_.schedule.factor(step.step, step.steps);
    optimizer_.set_rate_factor(options_.decay_critic ? step.rate * decay : step.rate);
    train::Draws draws(step.rng, device_);
    Tensor objective;
    for (std::int64_t c = 0; c < options_.critic_steps; ++c) objective = ascend(draws);
    return {.source = mean_slope(*critic_, step.source),
            .target = -mean_slope(*critic_, step.target),
            .values = {{"critic/objective", objective}}};
  }
  std::vector<train::NamedTensor> state() const override {
    std::vector<train::NamedTensor> state{{"critic", critic_->parameters().flat()}};
    for (const auto& tensor : optimizer_.state()) {
      state.emplace_back("critic.optimizer." + std::to_string(state.size() - 1), tensor);
    }
    return state;
  }

 private:
  Tensor ascend(train::Draws& draws) {
    const torch::NoGradGuard no_grad;
    const auto x = sources_.source->draw(options_.batch, draws);
    const auto y = sources_.target->draw(options_.batch, draws);
    const auto share =
        torch::full({options_.batch}, 1.0 / static_cast<double>(options_.batch), x.options());
    const nn::WeightedBatch both{.points = torch::cat({x, y}),
                                 .weights = torch::cat({share, -share})};
    std::optional<nn::PenaltyBatch> penalty;
    if (options_.lipschitz == train::Lipschitz::gradient_penalty) {
      penalty = {.points = nn::interpolate(x, y, draws.uniform({options_.batch})),
                 .coefficient = options_.penalty};
    }
    const auto result = critic_->parameter_gradient(both, penalty);
    optimizer_.step(critic_->parameters().flat(), result.gradient.neg());
    if (options_.lipschitz == train::Lipschitz::clipping) {
      nn::clip_parameters(critic_->parameters(), options_.clip);
    }
    return result.values.dot(both.weights);
  }

  Sources sources_;
  train::MixtureGameOptions options_;
  torch::Device device_;
  std::unique_ptr<nn::Critic> critic_;
  train::Optimizer optimizer_;
};

}  // namespace

std::unique_ptr<Alignment> make_dual_alignment(const AlignmentParts& parts) {
  if (parts.options.method == DenoiseMethod::nw) return std::make_unique<DualMixture>(parts);
  return std::make_unique<DualPlain>(parts);
}

}  // namespace nw::adapt
