// Balaji, Chellappa and Feizi 2019, section "UDA for unsupervised tasks":
//   min over f, g of  E|g(f(X_s)) - X_s|^2 + lambda W_N(f(X_s), f(X_t)).
//
// Where we differ on purpose: the squared error is a mean over pixels, as the paper's numbers are
// (docs/denoise.md), so that lambda does not depend on the size of images.
#include "nw/adapt/denoise_game.hpp"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "nw/adapt/denoise_model.hpp"
#include "nw/base/error.hpp"

#include "adapt/denoise_alignment.hpp"

namespace nw::adapt {

using torch::Tensor;

namespace {

enum Stream : std::uint64_t { kNetworks = 1, kAlignment = 2, kSteps = 3 };
enum StepStream : std::uint64_t { kBatch = 0, kLearn = 1, kPlaces = 2 };

// Source embeddings that an alignment begins with.
constexpr std::int64_t kFirstRows = 1024;

void require_rows(const Tensor& rows, std::int64_t dim, const char* what) {
  require(rows.defined() && rows.dim() == 2 && rows.size(0) > 0 && rows.size(1) == dim,
          "DenoiseGame: ", what, " needs rows of ", dim, " values");
}

Tensor draw_rows(const Tensor& rows, std::int64_t count, train::Draws& draws) {
  return rows.index_select(0, draws.indices(count, rows.size(0)));
}

}  // namespace

/// Rows of one step. `clean` is what the decoder should give for `input`.
struct DenoiseGame::Batch {
  Tensor input, clean;
  Tensor target;  // undefined where the step does not look at the target
};

DenoiseGame::DenoiseGame(const DenoiseOptions& options, const DenoiseData& data, const Rng& rng,
                         const torch::Device& device)
    : options_(options), data_(data), rng_(rng.split(kSteps)), device_(device) {
  options_.validate();
  const auto& network = options_.network;
  require_rows(data_.source, network.data_dim, "the source");
  require_rows(data_.target, network.data_dim, "the target");
  const bool oracle = options_.method == DenoiseMethod::oracle;
  require(!oracle ||
              (data_.clean_target.defined() && data_.clean_target.sizes() == data_.target.sizes()),
          "the oracle learns from clean target rows, one for each noisy one");
  if (options_.form == DistanceForm::primal) {
    options_.weight *= data_.source.var(0, /*unbiased=*/false).mean().item<double>();
  }
  data_.source = data_.source.to(device);
  data_.target = data_.target.to(device);
  data_.clean_target = oracle ? data_.clean_target.to(device) : Tensor();
  networks_ = std::make_shared<Autoencoder>(network, rng.split(kNetworks));
  average_ = std::make_shared<Autoencoder>(network, rng.split(kNetworks));
  networks_->to(device);
  average_->to(device);
  encoder_optimizer_ = train::Optimizer(options_.encoder, networks_->encoder().count(), device);
  decoder_optimizer_ = train::Optimizer(options_.decoder, networks_->decoder().count(), device);
  alignment_ = make_alignment({options_, data_, networks_, rng.split(kAlignment), device});
}

DenoiseGame::~DenoiseGame() = default;

double DenoiseGame::weight_at(std::int64_t step) const {
  if (step < options_.initial_steps) return 0.0;
  const auto since = static_cast<double>(step + 1 - options_.initial_steps);
  const auto ramp = static_cast<double>(std::max<std::int64_t>(1, options_.ramp_steps));
  return options_.weight * std::min(1.0, since / ramp);
}

DenoiseGame::Batch DenoiseGame::draw_batch(std::int64_t step, train::Draws& draws) const {
  const std::int64_t rows = options_.game.batch;
  if (options_.method == DenoiseMethod::oracle) {
    const auto chosen = draws.indices(rows, data_.target.size(0));
    return {.input = data_.target.index_select(0, chosen),
            .clean = data_.clean_target.index_select(0, chosen),
            .target = {}};
  }
  Batch batch{.input = draw_rows(data_.source, rows, draws), .clean = {}, .target = {}};
  batch.clean = batch.input;
  if (alignment_ && step >= options_.components_from) {
    batch.target = draw_rows(data_.target, rows, draws);
  }
  return batch;
}

void DenoiseGame::begin_alignment(const Rng& rng) {
  const torch::NoGradGuard no_grad;
  train::Draws draws(rng, device_);
  const auto first = draw_rows(data_.source, kFirstRows, draws);
  alignment_->begin(networks_->encode(first).to(torch::kCPU), rng);
}

void DenoiseGame::descend(const Tensor& loss) {
  auto leaves = networks_->encoder().leaves();
  const auto& decoder = networks_->decoder().leaves();
  const auto encoder_leaves = static_cast<std::ptrdiff_t>(leaves.size());
  leaves.insert(leaves.end(), decoder.begin(), decoder.end());
  const auto gradients = torch::autograd::grad({loss}, leaves);
  const auto cut = gradients.begin() + encoder_leaves;
  encoder_optimizer_.step(networks_->encoder().flat(),
                          networks_->encoder().flatten({gradients.begin(), cut}));
  decoder_optimizer_.step(networks_->decoder().flat(),
                          networks_->decoder().flatten({cut, gradients.end()}));
}

train::StepValues DenoiseGame::step(std::int64_t step, std::int64_t steps, double rate) {
  const torch::AutoGradMode with_grad(true);
  const double factor = rate * options_.game.schedule.factor(step, steps);
  encoder_optimizer_.set_rate_factor(factor);
  decoder_optimizer_.set_rate_factor(factor);
  const Rng rng = rng_.split(static_cast<std::uint64_t>(step));
  train::Draws draws(rng.split(kBatch), device_);

  const Batch batch = draw_batch(step, draws);
  const std::int64_t rows = batch.input.size(0);
  const bool aligned = batch.target.defined();
  const auto embeddings =
      networks_->encode(aligned ? torch::cat({batch.input, batch.target}) : batch.input);
  const auto source = embeddings.narrow(0, 0, rows);
  auto loss = (networks_->decode(source) - batch.clean).square().mean();
  train::StepValues values{{{"loss/reconstruction", loss.detach()}}};
  if (aligned) {
    if (options_.components_from > 0 && step == options_.components_from) {
      begin_alignment(rng.split(kPlaces));
    }
    const auto target = embeddings.narrow(0, rows, rows);
    auto pull = alignment_->learn({.step = step,
                                   .steps = steps,
                                   .rate = rate,
                                   .source = source.detach(),
                                   .target = target.detach(),
                                   .rng = rng.split(kLearn)});
    for (auto& value : pull.values) values.values.push_back(std::move(value));
    if (const double weight = weight_at(step); weight > 0.0) {
      // The gradient of the distance in the embeddings is known: this sum has it as its own.
      loss = loss + weight * ((source * pull.source).sum() + (target * pull.target).sum());
    }
  }
  descend(loss);
  follow(average_->encoder().flat(), networks_->encoder().flat(), options_.averaging, step);
  follow(average_->decoder().flat(), networks_->decoder().flat(), options_.averaging, step);
  return values;
}

std::vector<train::NamedTensor> DenoiseGame::model_state() const {
  return denoiser_state(*average_);
}

std::vector<train::NamedTensor> DenoiseGame::state() const {
  std::vector<train::NamedTensor> state{{"encoder", networks_->encoder().flat()},
                                        {"decoder", networks_->decoder().flat()}};
  for (auto& tensor : model_state()) state.push_back(std::move(tensor));
  const auto add = [&](const std::string& name, const train::Optimizer& optimizer) {
    const auto tensors = optimizer.state();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      state.emplace_back(concat(name, ".optimizer.", i), tensors[i]);
    }
  };
  add("encoder", encoder_optimizer_);
  add("decoder", decoder_optimizer_);
  if (alignment_) {
    for (auto& [name, tensor] : alignment_->state()) {
      state.emplace_back("alignment." + name, tensor);
    }
  }
  return state;
}

std::vector<std::vector<double>> DenoiseGame::proportions() const {
  return alignment_ ? alignment_->proportions() : std::vector<std::vector<double>>{};
}

nn::MixtureDraw DenoiseGame::sample(std::int64_t count, std::size_t side, const Rng& rng) const {
  require(alignment_ != nullptr, "only the method nw learns a mixture to draw from");
  return alignment_->sample(count, side, rng);
}

}  // namespace nw::adapt
