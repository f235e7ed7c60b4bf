// Algorithm 1 of the paper: critics against the components and proportions of a shared mixture.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nw/base/team.hpp"
#include "nw/nn/critic.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/nn/proportions.hpp"
#include "nw/train/allocation.hpp"
#include "nw/train/data_source.hpp"
#include "nw/train/device_graph.hpp"
#include "nw/train/game.hpp"
#include "nw/train/lipschitz.hpp"
#include "nw/train/optimizer.hpp"
#include "nw/train/schedule.hpp"

namespace nw::train {

/// Knobs of the game. The defaults are the paper's for the mixture of Gaussians.
struct MixtureGameOptions {
  /// Rows of data in a critic step. Positive.
  std::int64_t batch = 1024;
  /// Critic steps per generator step; each moves the proportions too. Positive.
  std::int64_t critic_steps = 10;
  Allocation allocation = Allocation::full;
  /// `proportional`: rows that every component gets at least. Positive.
  std::int64_t floor = 16;
  Lipschitz lipschitz = Lipschitz::clipping;
  /// Clipping: bound of every parameter of a critic. Positive.
  double clip = 0.003;
  /// Coefficient of the gradient penalty. Positive.
  double penalty = 10.0;
  /// Rows at which the penalty is taken; 0 means `batch`.
  std::int64_t penalty_rows = 0;
  OptimizerOptions critic = {}, generator = {};
  OptimizerOptions proportions = {.learning_rate = 0.01};
  Schedule schedule = {};
  /// Whether the schedule slows the critics too. A critic that keeps its pace follows components
  /// and proportions that hardly move any more.
  bool decay_critic = true;
  /// Weight of past values in the average of components and proportions that samples come from;
  /// 0 takes the last values. In [0, 1).
  double averaging = 0.0;
  /// lambda_reg of the clustering section: rewards components that lie far apart. Not negative.
  double diversity = 0.0;
  /// Processes that share each batch between them. Null: this one alone.
  Team* team = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
  /// Calls visit(OptionField, member) for each field; defined in mixture_game_fields.hpp.
  template <typename Visit>
  void for_each_field(Visit&& visit);
};

/// One data set with what is learnt for it alone.
struct Side {
  std::shared_ptr<DataSource> data;
  std::unique_ptr<nn::Critic> critic;
  nn::Proportions proportions;
};

/// Who plays: components that all data sets share, and one side or two.
struct Players {
  std::unique_ptr<nn::MixtureGenerator> generator;
  std::vector<Side> sides;
};

/// min over G, pi1, pi2, max over D1, D2 of the dual [NW:dual]; with one side the game of NWGAN.
class MixtureGame final : public Game {
 public:
  /// Everything moves to `device`.
  MixtureGame(const MixtureGameOptions& options, Players players, const Rng& rng,
              const torch::Device& device);

  StepValues step(std::int64_t step, std::int64_t steps, double rate) override;
  [[nodiscard]] std::vector<NamedTensor> state() const override;
  [[nodiscard]] std::vector<std::vector<double>> proportions() const override;
  [[nodiscard]] nn::MixtureDraw sample(std::int64_t count, std::size_t side,
                                       const Rng& rng) const override;

  /// One ascent of the critic of a side and one descent of its proportions: the inner loop.
  /// Returns the estimate of W and the penalty, [] each.
  struct CriticValues {
    torch::Tensor objective, penalty;
  };
  CriticValues critic_step(std::size_t side, Draws& draws);
  /// One descent of the components, over all sides.
  void generator_step(Draws& draws);

  /// Moves the proportions of a side, those being trained and those that samples come from, to the
  /// softmax of `logits`: [k].
  void set_logits(std::size_t side, const torch::Tensor& logits) const;

  [[nodiscard]] const MixtureGameOptions& options() const noexcept { return options_; }
  /// The components as they are being trained, and those that samples come from.
  [[nodiscard]] const nn::MixtureGenerator& generator() const noexcept { return *generator_; }
  [[nodiscard]] const nn::MixtureGenerator& sampler() const noexcept { return *sampler_; }
  [[nodiscard]] const nn::Critic& critic(std::size_t side) const { return *sides_[side].critic; }
  [[nodiscard]] std::size_t sides() const noexcept { return sides_.size(); }

 private:
  struct Fakes;
  [[nodiscard]] Fakes draw_fakes(std::size_t side, Draws& draws) const;
  [[nodiscard]] nn::PenaltyBatch penalty_batch(const torch::Tensor& real, const Fakes& fakes,
                                               Draws& draws) const;
  void average();
  void generator_and_average(std::int64_t step);
  [[nodiscard]] bool recordable() const;
  [[nodiscard]] std::vector<CriticValues> critic_steps(std::int64_t step);
  void set_rates(double factor, double decay);

  MixtureGameOptions options_;
  std::unique_ptr<nn::MixtureGenerator> generator_;
  std::vector<Side> sides_;
  Rng rng_;
  torch::Device device_;
  std::vector<Optimizer> critic_optimizer_, proportion_optimizer_;
  Optimizer generator_optimizer_;
  // The averages that samples come from: a generator of its own and logits per side.
  std::unique_ptr<nn::MixtureGenerator> sampler_;
  std::vector<nn::Proportions> sampled_proportions_;
  int warm_steps_ = 0;
  DeviceGraph graph_;                       // one critic step of every side
  std::vector<CriticValues> graph_values_;  // what it writes
  int warm_generator_steps_ = 0;
  DeviceGraph generator_graph_;  // one generator step and the averages after it
  torch::Tensor keep_;           // [] weight of past values in the averages
  torch::Tensor apart_;  // [k, k] sliced distances between components at the last generator step
};

}  // namespace nw::train
