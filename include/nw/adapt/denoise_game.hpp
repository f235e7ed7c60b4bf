// Learning to denoise rows of a target from unpaired clean rows of a source.
#pragma once

#include <memory>
#include <vector>

#include "nw/adapt/denoise_networks.hpp"
#include "nw/adapt/denoise_options.hpp"
#include "nw/train/game.hpp"
#include "nw/train/optimizer.hpp"

namespace nw::adapt {

class Alignment;

/// What is learnt from, as networks see it.
struct DenoiseData {
  torch::Tensor source;        ///< clean rows: [n, data_dim]
  torch::Tensor target;        ///< noisy rows: [m, data_dim]
  torch::Tensor clean_target;  ///< [m, data_dim], for `oracle` alone; undefined otherwise
};

/// min over f, g of E|g(f(X_s)) - X_s|^2 + lambda dist(f(X_s), f(X_t)) [NW:denoise], where dist is
/// what the method says. In each step whatever the distance has to learn (critics, components,
/// proportions) learns first; then encoder and decoder descend.
class DenoiseGame final : public train::Game {
 public:
  DenoiseGame(const DenoiseOptions& options, const DenoiseData& data, const Rng& rng,
              const torch::Device& device);
  ~DenoiseGame() override;

  train::StepValues step(std::int64_t step, std::int64_t steps, double rate) override;
  [[nodiscard]] std::vector<train::NamedTensor> state() const override;
  /// Of source and target under `nw`; none otherwise.
  [[nodiscard]] std::vector<std::vector<double>> proportions() const override;
  /// Embeddings of the mixture learnt for source (0) or target (1). Throws InvalidArgument unless
  /// the method is `nw`.
  [[nodiscard]] nn::MixtureDraw sample(std::int64_t count, std::size_t side,
                                       const Rng& rng) const override;

  /// lambda at a step.
  [[nodiscard]] double weight_at(std::int64_t step) const;
  /// The networks that denoise: averages over the last steps.
  [[nodiscard]] const Autoencoder& model() const noexcept { return *average_; }
  /// The same, as TrainedDenoiser::state() names them.
  [[nodiscard]] std::vector<train::NamedTensor> model_state() const;
  [[nodiscard]] const DenoiseOptions& options() const noexcept { return options_; }

 private:
  struct Batch;
  [[nodiscard]] Batch draw_batch(std::int64_t step, train::Draws& draws) const;
  void begin_alignment(const Rng& rng);
  void descend(const torch::Tensor& loss);

  DenoiseOptions options_;
  DenoiseData data_;
  Rng rng_;
  torch::Device device_;
  std::shared_ptr<Autoencoder> networks_, average_;
  train::Optimizer encoder_optimizer_, decoder_optimizer_;
  std::unique_ptr<Alignment> alignment_;  // null for methods that align nothing
};

}  // namespace nw::adapt
