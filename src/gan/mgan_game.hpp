// MGAN (Hoang, Nguyen, Le and Phung 2018): k generators in equal proportions against a
// discriminator, kept apart by a classifier that shares the discriminator's layers.
#pragma once

#include <memory>

#include "nw/gan/gan_options.hpp"
#include "nw/train/data_source.hpp"
#include "nw/train/game.hpp"

namespace nw::gan {

class MganGame final : public train::Game {
 public:
  struct Players {
    std::unique_ptr<nn::MixtureGenerator> generator;
    std::shared_ptr<train::DataSource> data;
  };
  /// The critic's hidden widths shape the shared layers; its kind must be `mlp`.
  MganGame(const GanOptions& options, Players players, const Rng& rng, const torch::Device& device);

  train::StepValues step(std::int64_t step, std::int64_t steps, double rate) override;
  [[nodiscard]] std::vector<train::NamedTensor> state() const override;
  [[nodiscard]] std::vector<std::vector<double>> proportions() const override;
  [[nodiscard]] nn::MixtureDraw sample(std::int64_t count, std::size_t side,
                                       const Rng& rng) const override;

 private:
  struct Heads {
    torch::Tensor real_logit;  // [n]: log-odds of being real
    torch::Tensor class_log;   // [n, k]: log-probability of each component
  };
  [[nodiscard]] Heads forward(const torch::Tensor& rows) const;
  [[nodiscard]] std::int64_t rows_per_component() const;

  GanOptions options_;
  std::unique_ptr<nn::MixtureGenerator> generator_, sampler_;
  std::shared_ptr<train::DataSource> data_;
  Rng rng_;
  torch::Device device_;
  nn::ParameterSet shared_;  // hidden layers and both heads
  train::Optimizer shared_optimizer_, generator_optimizer_;
  torch::Tensor labels_;  // [k * rows]: the component of every generated row
};

}  // namespace nw::gan
