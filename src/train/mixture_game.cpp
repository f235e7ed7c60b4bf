// Algorithm 1 of Balaji, Chellappa and Feizi 2019 (appendix "Optimizing Normalized Wasserstein
// using duality"), for one data set or two. With weights w_i = 1/B for real rows and -pi_j/n_j for
// rows of component j, both terms of the dual are sum_i w_i D(x_i): one pass over all rows gives
// the ascent direction of the critic and, from the mean of D over each component, dNW/dpi_j =
// -mean_j D.
//
// Where we differ on purpose: each side draws its own z, because its rows follow its own pi; the
// gradients of critic and proportions are taken at one point, where the paper steps one after the
// other; and with `proportional` allocation k components share one batch.
#include "nw/train/mixture_game.hpp"

#include <algorithm>
#include <numeric>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/lipschitz.hpp"

#include "train/sliced_diversity.hpp"
#include "train/team_gradient.hpp"

namespace nw::train {

using torch::Tensor;

namespace {

// Critic steps before one is recorded as a graph: libraries set themselves up in the first ones.
constexpr int kWarmSteps = 11, kWarmGeneratorSteps = 3;
// Critic steps use the streams 0, 1, ... of a step.
constexpr std::uint64_t kGeneratorStream = std::uint64_t{1} << 32;

}  // namespace

/// Generated rows of one step, sorted by component.
struct MixtureGame::Fakes {
  Tensor points;                     // [n, d]; attached to the generator's graph when asked for
  Tensor weights;                    // pi_j / n_j: [n]
  std::vector<std::int64_t> counts;  // [k]
};

MixtureGame::MixtureGame(const MixtureGameOptions& options, Players players, const Rng& rng,
                         const torch::Device& device)
    : options_(options),
      generator_(std::move(players.generator)),
      sides_(std::move(players.sides)),
      rng_(rng),
      device_(device) {
  options_.validate();
  require(sides_.size() == 1 || sides_.size() == 2, "MixtureGame: one or two data sets, got ",
          sides_.size());
  sampler_ = nn::make_mixture_generator(generator_->options(), rng);
  sampler_->parameters().assign(generator_->parameters().flat());
  generator_->to(device);
  sampler_->to(device);
  keep_ = torch::zeros({}, torch::TensorOptions().device(device));
  generator_optimizer_ = Optimizer(options_.generator, generator_->parameters().count(), device);
  for (auto& side : sides_) {
    require(side.proportions.components() == generator_->components(),
            "MixtureGame: ", side.proportions.components(), " proportions for ",
            generator_->components(), " components");
    side.data->to(device);
    side.critic->to(device);
    side.proportions.to(device);
    sampled_proportions_.push_back(side.proportions.clone());
    critic_optimizer_.emplace_back(options_.critic, side.critic->parameters().count(), device);
    proportion_optimizer_.emplace_back(options_.proportions, side.proportions.components(), device);
  }
  if (options_.diversity > 0.0) {
    apart_ = torch::zeros({generator_->components(), generator_->components()},
                          torch::TensorOptions().device(device));
  }
}

MixtureGame::Fakes MixtureGame::draw_fakes(std::size_t side, Draws& draws) const {
  const auto& proportions = sides_[side].proportions;
  Fakes fakes;
  // Only `proportional` looks at pi: the others can be captured in a graph.
  const auto pi =
      options_.allocation == Allocation::proportional
          ? proportions.to_vector()
          : std::vector<double>(static_cast<std::size_t>(proportions.components()), 0.0);
  fakes.counts = allocate(options_.allocation, pi, options_.batch, options_.floor);
  const std::int64_t rows =
      std::accumulate(fakes.counts.begin(), fakes.counts.end(), std::int64_t{0});
  const auto z = draws.normal({rows, generator_->options().latent_dim});
  fakes.points = generator_->forward_rows(z, fakes.counts, nn::Mode::training);
  fakes.weights = row_weights(proportions.values(), fakes.counts);
  return fakes;
}

nn::PenaltyBatch MixtureGame::penalty_batch(const Tensor& real, const Fakes& fakes,
                                            Draws& draws) const {
  const std::int64_t rows = options_.penalty_rows > 0 ? options_.penalty_rows : options_.batch;
  // Fake rows by their weight, in evenly spread draws: row i falls into the i-th of `rows` slots.
  const auto slots =
      (draws.uniform({rows}) + torch::arange(rows, real.options())) / static_cast<double>(rows);
  const auto chosen =
      torch::searchsorted(fakes.weights.cumsum(0), slots).clamp_max(fakes.points.size(0) - 1);
  const auto between = nn::interpolate(real.narrow(0, 0, rows),
                                       fakes.points.index_select(0, chosen), draws.uniform({rows}));
  return {.points = between, .coefficient = options_.penalty};
}

MixtureGame::CriticValues MixtureGame::critic_step(std::size_t side, Draws& draws) {
  const torch::NoGradGuard no_grad;
  auto& [data, critic, proportions] = sides_[side];
  const auto real = data->draw(options_.batch, draws);
  const Fakes fakes = draw_fakes(side, draws);
  const auto real_weights =
      torch::full({options_.batch}, 1.0 / static_cast<double>(options_.batch), real.options());
  const nn::WeightedBatch batch{.points = torch::cat({real, fakes.points}),
                                .weights = torch::cat({real_weights, -fakes.weights})};
  std::optional<nn::PenaltyBatch> penalty;
  if (options_.lipschitz == Lipschitz::gradient_penalty) {
    penalty = penalty_batch(real, fakes, draws);
  }
  const auto result = parameter_gradient(options_.team, *critic, batch, penalty);

  critic_optimizer_[side].step(critic->parameters().flat(), result.gradient.neg());
  if (options_.lipschitz == Lipschitz::clipping) {
    nn::clip_parameters(critic->parameters(), options_.clip);
  }
  critic->refresh();
  if (!proportions.is_fixed()) {
    const auto fake_values = result.values.narrow(0, options_.batch, fakes.points.size(0));
    auto gradient = -component_means(fake_values, fakes.counts);
    // R = sum_{i>j} pi_i pi_j W_ij, so dR/dpi = W pi.
    if (options_.diversity > 0.0) {
      gradient = gradient - options_.diversity * at::mv(apart_, proportions.values());
    }
    proportion_optimizer_[side].step(proportions.logits(), proportions.logit_gradient(gradient));
  }
  return {.objective = result.values.dot(batch.weights), .penalty = result.penalty};
}

void MixtureGame::generator_step(Draws& draws) {
  const torch::AutoGradMode with_grad(true);
  const auto& leaves = generator_->parameters().leaves();
  Tensor total;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const Fakes fakes = draw_fakes(s, draws);
    auto slope = point_gradient(options_.team, *sides_[s].critic,
                                {.points = fakes.points.detach(), .weights = -fakes.weights})
                     .gradient;
    if (options_.diversity > 0.0) {
      const auto points = fakes.points.detach().requires_grad_(true);
      const auto apart = sliced_distances(points, fakes.counts, draws);
      const auto pi = sides_[s].proportions.values();
      const auto reward = 0.5 * options_.diversity * pi.dot(at::mv(apart, pi));
      slope = slope - torch::autograd::grad({reward}, {points})[0];
      const torch::NoGradGuard no_grad;
      apart_.copy_(apart.detach());
    }
    const auto gradient = generator_->parameters().flatten(
        torch::autograd::grad({fakes.points}, leaves, {slope}, /*retain_graph=*/false,
                              /*create_graph=*/false, /*allow_unused=*/true));
    total = total.defined() ? total.add_(gradient) : gradient;
  }
  generator_optimizer_.step(generator_->parameters().flat(), total);
}

void MixtureGame::set_rates(double factor, double decay) {
  generator_optimizer_.set_rate_factor(factor * decay);
  for (auto& optimizer : proportion_optimizer_) optimizer.set_rate_factor(factor * decay);
  const double critic = options_.decay_critic ? factor * decay : factor;
  for (auto& optimizer : critic_optimizer_) optimizer.set_rate_factor(critic);
}

void MixtureGame::average() {
  const torch::NoGradGuard no_grad;
  const Tensor weight = 1.0 - keep_;
  Tensor target = sampler_->parameters().flat();
  target.lerp_(generator_->parameters().flat(), weight);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    if (sides_[s].proportions.is_fixed()) continue;
    Tensor logits = sampled_proportions_[s].logits();
    logits.lerp_(sides_[s].proportions.logits(), weight);
  }
  const auto from = generator_->buffers(), to = sampler_->buffers();
  for (std::size_t b = 0; b < from.size(); ++b) to[b].copy_(from[b]);
}

// Counts by pi change from step to step, and so would a graph; a team's sums wait for others.
bool MixtureGame::recordable() const {
  return device_.is_cuda() && DeviceGraph::available() &&
         options_.allocation != Allocation::proportional && options_.team == nullptr;
}

void MixtureGame::generator_and_average(std::int64_t step) {
  // Early on the average is short, so that the start is soon forgotten.
  const double t = static_cast<double>(step);
  keep_.fill_(std::min(options_.averaging, (1.0 + t) / (10.0 + t)));
  if (generator_graph_.recorded()) {
    generator_graph_.replay();
    return;
  }
  const auto work = [&] {
    Draws draws(rng_.split(static_cast<std::uint64_t>(step)).split(kGeneratorStream), device_);
    generator_step(draws);
    average();
  };
  if (!recordable()) {
    work();
    return;
  }
  DeviceGraph::rehearse(work);
  if (++warm_generator_steps_ >= kWarmGeneratorSteps) generator_graph_.record(work);
}

std::vector<MixtureGame::CriticValues> MixtureGame::critic_steps(std::int64_t step) {
  const Rng rng = rng_.split(static_cast<std::uint64_t>(step));
  std::uint64_t stream = 0;
  std::vector<CriticValues> last(sides_.size());
  const auto all_sides = [&] {
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      Draws draws(rng.split(stream++), device_);
      last[s] = critic_step(s, draws);
    }
  };
  for (std::int64_t c = 0; c < options_.critic_steps; ++c) {
    if (graph_.recorded()) {
      graph_.replay();
      last = graph_values_;
      continue;
    }
    if (!recordable()) {
      all_sides();
      continue;
    }
    DeviceGraph::rehearse(all_sides);
    if (++warm_steps_ >= kWarmSteps) {
      graph_.record(all_sides);
      graph_values_ = last;
    }
  }
  return last;
}

StepValues MixtureGame::step(std::int64_t step, std::int64_t steps, double rate) {
  set_rates(rate, options_.schedule.factor(step, steps));
  const auto last = critic_steps(step);
  generator_and_average(step);

  StepValues values;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const std::string suffix = sides_.size() == 1 ? "" : (s == 0 ? "_x" : "_y");
    values.values.emplace_back("critic/objective" + suffix, last[s].objective);
    if (last[s].penalty.defined()) {
      values.values.emplace_back("critic/penalty" + suffix, last[s].penalty);
    }
  }
  return values;
}

std::vector<NamedTensor> MixtureGame::state() const {
  std::vector<NamedTensor> state;
  const auto add = [&](const std::string& name, const Tensor& tensor) {
    state.emplace_back(name, tensor);
  };
  const auto add_all = [&](const std::string& name, const std::vector<Tensor>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) add(concat(name, ".", i), tensors[i]);
  };
  add("generator", generator_->parameters().flat());
  add_all("generator.buffer", generator_->buffers());
  add_all("generator.optimizer", generator_optimizer_.state());
  add("sampler", sampler_->parameters().flat());
  add_all("sampler.buffer", sampler_->buffers());
  if (apart_.defined()) add("apart", apart_);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const std::string side = std::to_string(s);
    add("critic" + side, sides_[s].critic->parameters().flat());
    add_all("critic" + side + ".buffer", sides_[s].critic->buffers());
    add_all("critic" + side + ".optimizer", critic_optimizer_[s].state());
    add("logits" + side, sides_[s].proportions.logits());
    add_all("logits" + side + ".optimizer", proportion_optimizer_[s].state());
    add("sampler.logits" + side, sampled_proportions_[s].logits());
  }
  return state;
}

void MixtureGame::set_logits(std::size_t side, const Tensor& logits) const {
  const torch::NoGradGuard no_grad;
  sides_[side].proportions.logits().copy_(logits);
  sampled_proportions_[side].logits().copy_(logits);
}

std::vector<std::vector<double>> MixtureGame::proportions() const {
  std::vector<std::vector<double>> result;
  for (const auto& proportions : sampled_proportions_) result.push_back(proportions.to_vector());
  return result;
}

nn::MixtureDraw MixtureGame::sample(std::int64_t count, std::size_t side, const Rng& rng) const {
  return nn::draw_mixture(*sampler_, sampled_proportions_[side].to_vector(), count, rng);
}

}  // namespace nw::train
