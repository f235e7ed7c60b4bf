// Hoang et al. 2018, "MGAN: training generative adversarial nets with multiple generators", section
// 3:
//   min over G and C, max over D of
//     E[log D(x)] + E_{P_model}[log(1 - D(x))] - beta sum_k pi_k E_{P_Gk}[log C_k(x)],
// with pi uniform. As there, generators ascend log D(x) instead of descending log(1 - D(x)).
#include "gan/mgan_game.hpp"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"

namespace nw::gan {
namespace {

using torch::Tensor;

double half_width(std::int64_t fan_in) {
  return 1.0 / std::sqrt(static_cast<double>(fan_in));
}

}  // namespace

MganGame::MganGame(const GanOptions& options, Players players, const Rng& rng,
                   const torch::Device& device)
    : options_(options),
      generator_(std::move(players.generator)),
      data_(std::move(players.data)),
      rng_(rng.split(0)),
      device_(device) {
  require(options.critic.kind == nn::CriticKind::mlp,
          "MGAN is there for points only: its classifier shares the layers of an mlp critic");
  std::vector<nn::ParameterSpec> specs;
  std::int64_t inputs = options.critic.data_dim;
  for (const auto width : options.critic.hidden) {
    const std::string name = "linear" + std::to_string(specs.size() / 2);
    specs.push_back({name + ".weight", {width, inputs}, half_width(inputs)});
    specs.push_back({name + ".bias", {width}, half_width(inputs)});
    inputs = width;
  }
  const std::int64_t k = generator_->components();
  specs.push_back({"heads.weight", {1 + k, inputs}, half_width(inputs)});
  specs.push_back({"heads.bias", {1 + k}, half_width(inputs)});
  shared_ = nn::ParameterSet(std::move(specs), rng.split(1));
  sampler_ = nn::make_mixture_generator(generator_->options(), rng);
  sampler_->parameters().assign(generator_->parameters().flat());
  generator_->to(device);
  sampler_->to(device);
  shared_.to(device);
  data_->to(device);
  shared_optimizer_ = train::Optimizer(options.game.critic, shared_.count(), device);
  generator_optimizer_ =
      train::Optimizer(options.game.generator, generator_->parameters().count(), device);
  labels_ = torch::arange(k, torch::TensorOptions().dtype(torch::kInt64).device(device))
                .repeat_interleave(rows_per_component());
}

std::int64_t MganGame::rows_per_component() const {
  return std::max<std::int64_t>(1, options_.game.batch / generator_->components());
}

MganGame::Heads MganGame::forward(const Tensor& rows) const {
  Tensor a = rows;
  for (std::size_t i = 0; i + 2 < shared_.size(); i += 2) {
    a = at::leaky_relu(at::linear(a, shared_[i], shared_[i + 1]), options_.critic.slope);
  }
  const std::size_t last = shared_.size() - 2;
  const auto heads = at::linear(a, shared_[last], shared_[last + 1]);
  return {.real_logit = heads.select(1, 0),
          .class_log = at::log_softmax(heads.narrow(1, 1, heads.size(1) - 1), 1)};
}

train::StepValues MganGame::step(std::int64_t step, std::int64_t steps, double rate) {
  const torch::AutoGradMode with_grad(true);
  const double factor = rate * options_.game.schedule.factor(step, steps);
  shared_optimizer_.set_rate_factor(factor);
  generator_optimizer_.set_rate_factor(factor);
  train::Draws draws(rng_.split(static_cast<std::uint64_t>(step)), device_);
  const std::int64_t k = generator_->components(), rows = rows_per_component();
  const std::vector<std::int64_t> counts(static_cast<std::size_t>(k), rows);
  const auto& generator_leaves = generator_->parameters().leaves();
  const auto fake = [&] {
    const auto z = draws.normal({k * rows, generator_->options().latent_dim});
    return generator_->forward_rows(z, counts, nn::Mode::training);
  };
  const auto classifier_loss = [&](const Heads& heads) {
    return -heads.class_log.gather(1, labels_.unsqueeze(1)).mean();
  };

  Tensor discriminator_loss;
  for (std::int64_t c = 0; c < options_.game.critic_steps; ++c) {
    const auto real = forward(data_->draw(options_.game.batch, draws));
    const auto made = forward(fake().detach());
    // -log sigmoid(t) = softplus(-t), -log(1 - sigmoid(t)) = softplus(t).
    discriminator_loss =
        at::softplus(-real.real_logit).mean() + at::softplus(made.real_logit).mean();
    const auto loss = discriminator_loss + options_.classifier_weight * classifier_loss(made);
    shared_optimizer_.step(shared_.flat(),
                           shared_.flatten(torch::autograd::grad({loss}, shared_.leaves())));
  }
  const auto made = forward(fake());
  const auto generator_loss = at::softplus(-made.real_logit).mean();
  const auto classifier = classifier_loss(made);
  generator_optimizer_.step(
      generator_->parameters().flat(),
      generator_->parameters().flatten(torch::autograd::grad(
          {generator_loss + options_.classifier_weight * classifier}, generator_leaves)));

  const torch::NoGradGuard no_grad;
  const double t = static_cast<double>(step);
  const double keep = std::min(options_.game.averaging, (1.0 + t) / (10.0 + t));
  Tensor average = sampler_->parameters().flat();
  average.lerp_(generator_->parameters().flat(), 1.0 - keep);
  return {{{"loss/discriminator", discriminator_loss.detach()},
           {"loss/generator", generator_loss.detach()},
           {"loss/classifier", classifier.detach()}}};
}

std::vector<train::NamedTensor> MganGame::state() const {
  std::vector<train::NamedTensor> state{{"generator", generator_->parameters().flat()},
                                        {"sampler", sampler_->parameters().flat()},
                                        {"discriminator", shared_.flat()}};
  const auto add = [&](const std::string& name, const std::vector<Tensor>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      state.emplace_back(concat(name, ".optimizer.", i), tensors[i]);
    }
  };
  add("generator", generator_optimizer_.state());
  add("discriminator", shared_optimizer_.state());
  return state;
}

std::vector<std::vector<double>> MganGame::proportions() const {
  const auto k = static_cast<std::size_t>(generator_->components());
  return {std::vector<double>(k, 1.0 / static_cast<double>(k))};
}

nn::MixtureDraw MganGame::sample(std::int64_t count, std::size_t, const Rng& rng) const {
  return nn::draw_mixture(*sampler_, proportions()[0], count, rng);
}

}  // namespace nw::gan
