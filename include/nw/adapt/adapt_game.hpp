// Adaptation as a game: a critic against features, classifier and proportions.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "nw/adapt/adapt_options.hpp"
#include "nw/adapt/prediction.hpp"
#include "nw/nn/proportions.hpp"
#include "nw/train/device_graph.hpp"
#include "nw/train/game.hpp"

namespace nw::adapt {

/// Both domains; labels on the source only.
struct AdaptData {
  DomainRows source, target;
  std::vector<std::int64_t> class_of;  ///< of every source row, in [0, k)
  Holdout split;                       ///< of the source
};

/// min over f, C, pi of L_cl(C(f(X_s)), Y_s) + lambda max over D of the method's distance
/// [NW:uda], for every method of AdaptMethod.
class AdaptGame final : public train::Game {
 public:
  /// Everything moves to `device`.
  AdaptGame(const AdaptOptions& options, AdaptData data, const Rng& rng,
            const torch::Device& device);

  train::StepValues step(std::int64_t step, std::int64_t steps, double rate) override;
  [[nodiscard]] std::vector<train::NamedTensor> state() const override;
  /// One list: pi for `nw`, the estimate behind the weights for methods that have one, otherwise
  /// the source's own.
  [[nodiscard]] std::vector<std::vector<double>> proportions() const override;
  /// Features of source rows whose classes follow proportions().
  [[nodiscard]] nn::MixtureDraw sample(std::int64_t count, std::size_t side,
                                       const Rng& rng) const override;

  /// Predictions of the (averaged) networks for rows of a domain; all of them where none are
  /// `chosen`. `rows` must be on the game's device.
  [[nodiscard]] Prediction predict(const DomainRows& rows, DomainSide side,
                                   std::span<const std::int64_t> chosen) const;
  [[nodiscard]] Prediction predict_target() const;
  /// The same for at most `most` rows, evenly spread.
  [[nodiscard]] Prediction predict_some_target(std::int64_t most) const;
  /// Share of held-out source rows that are classified correctly, averaged over classes; of
  /// training rows where none are held out.
  [[nodiscard]] double source_accuracy() const;

  /// Proportions of the target from its mean posterior and those of held-out source rows of each
  /// class (of training rows where none are held out).
  [[nodiscard]] std::vector<double> confused_shares(const Prediction& target) const;

  /// The proportions the classifier was trained with.
  [[nodiscard]] std::vector<double> classifier_prior() const;

  /// The (averaged) networks that predict, as TrainedModel::state() names them.
  [[nodiscard]] std::vector<train::NamedTensor> model_state() const;

  [[nodiscard]] const AdaptOptions& options() const noexcept { return options_; }
  [[nodiscard]] const std::vector<double>& source_proportions() const noexcept {
    return source_share_;
  }

 private:
  struct Batch;
  struct Step;
  struct Values {
    torch::Tensor classification, objective, penalty;
  };
  [[nodiscard]] Batch draw(train::Draws& draws) const;
  [[nodiscard]] torch::Tensor both_views(const DomainRows& rows, const torch::Tensor& chosen,
                                         train::Draws& draws) const;
  [[nodiscard]] torch::Tensor masses() const;
  /// Whether features of both domains are compared, by a critic or by a plan.
  [[nodiscard]] bool compares() const;
  /// Rows of a step from which the classifier learns.
  [[nodiscard]] std::int64_t classified_rows() const;
  // The stages of a step, in their order.
  Values learn(train::Draws& draws, bool adversarial);
  void map_rows(Step& step) const;
  void map_views(Step& step) const;
  void train_critic(Step& step);
  [[nodiscard]] torch::Tensor transport_loss(Step& step);
  [[nodiscard]] torch::Tensor classification_loss(Step& step) const;
  [[nodiscard]] torch::Tensor own_classes_loss(const Step& step);
  [[nodiscard]] torch::Tensor adversarial_slope(const Step& step) const;
  void descend(Step& step, const torch::Tensor& loss);
  void critic_step(const torch::Tensor& compared, train::Draws& draws, bool moves_pi,
                   Values& values);
  [[nodiscard]] torch::Tensor slopes(const torch::Tensor& points, const torch::Tensor& mass) const;
  Values play(std::int64_t step, bool adversarial);
  void set_rates(std::int64_t step, std::int64_t steps, double rate);
  void average(std::int64_t step);
  void estimate_weights();
  [[nodiscard]] std::int64_t most_estimated() const;
  void estimate_pi();

  AdaptOptions options_;
  AdaptData data_;
  Rng rng_;
  torch::Device device_;
  std::int64_t classes_;
  std::vector<double> source_share_;  // of the training rows
  torch::Tensor by_class_;            // training rows, sorted by class
  torch::Tensor first_, count_;       // of each row of a batch by class: [k * class_batch]
  torch::Tensor batch_class_;         // likewise, its class
  torch::Tensor all_class_;           // class of every source row
  torch::Tensor source_columns_, target_columns_;  // moments of a table's columns, for its views

  std::unique_ptr<nn::FeatureNetwork> features_, sampled_features_;
  nn::Classifier classifier_, sampled_classifier_;
  std::unique_ptr<nn::Critic> critic_;
  nn::Proportions pi_, sampled_pi_;
  torch::Tensor share_;        // [k]: estimated target proportions, the source's where none are
  torch::Tensor prior_;        // [k]: the source's
  torch::Tensor lambda_;       // []
  torch::Tensor self_weight_;  // []
  torch::Tensor seen_;         // [k]: mean posterior of target rows over the last steps
  std::int64_t pretrained_ = 0, fresh_ = 0;  // parameters of features_: these first, then those
  train::Optimizer backbone_optimizer_, feature_optimizer_, classifier_optimizer_,
      critic_optimizer_, pi_optimizer_;

  std::array<int, 2> warm_steps_ = {0, 0};
  std::array<train::DeviceGraph, 2> graph_;  // of steps without and with adversarial gradients
  std::array<Values, 2> graph_values_;
};

}  // namespace nw::adapt
