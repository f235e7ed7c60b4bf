// What comes of the game's steps: averages of its networks, estimates of proportions, predictions,
// and the state that a run keeps.
#include <algorithm>
#include <cmath>

#include "nw/adapt/adapt_game.hpp"
#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/label_shift.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

#include "adapt/share_tensor.hpp"
#include "adapt/weight_estimate.hpp"

namespace nw::adapt {

using torch::Tensor;

namespace {

// No class is given up as long as pi moves.
constexpr double kLeastShare = 1e-3;

}  // namespace

void AdaptGame::average(std::int64_t step) {
  const torch::NoGradGuard no_grad;
  // Early on the average is short, so that the start is soon forgotten.
  const double t = static_cast<double>(step);
  const double follow = 1.0 - std::min(options_.averaging, (1.0 + t) / (10.0 + t));
  const auto towards = [&](Tensor average, const Tensor& value) {
    if (options_.averaging == 0.0) {
      average.copy_(value);
    } else {
      average.lerp_(value, follow);
    }
  };
  towards(sampled_features_->parameters().flat(), features_->parameters().flat());
  towards(sampled_classifier_.parameters().flat(), classifier_.parameters().flat());
  towards(sampled_pi_.logits(), pi_.logits());
  const auto from = features_->buffers(), to = sampled_features_->buffers();
  for (std::size_t b = 0; b < from.size(); ++b) towards(to[b], from[b]);
}

void AdaptGame::estimate_weights() {
  const torch::NoGradGuard no_grad;
  auto q = confused_shares(predict_some_target(most_estimated()));
  // Everyone has the same networks, but perhaps not the same machine.
  if (options_.team != nullptr) options_.team->share(std::as_writable_bytes(std::span(q)));
  // Half of the former estimate: predictions of one moment are noisy.
  share_.lerp_(share_tensor(q, device_), 0.5);
}

std::int64_t AdaptGame::most_estimated() const {
  // Of a backbone no more than some steps' worth.
  return options_.features.kind == nn::FeatureKind::backbone ? 512 : kEstimateRows;
}

std::vector<double> AdaptGame::confused_shares(const Prediction& target) const {
  const auto& rows = data_.split.held_out.empty() ? data_.split.training : data_.split.held_out;
  const auto chosen = spread_rows(rows, most_estimated());
  const auto source = predict(data_.source, DomainSide::source, chosen);
  return estimate_shares(source, chosen, data_.class_of, target, source_share_);
}

void AdaptGame::estimate_pi() {
  const torch::NoGradGuard no_grad;
  const auto posterior = predict_some_target(kEstimateRows).posterior;
  const auto likely = likely_proportions(bridge::to_matrix(posterior), classifier_prior());
  // Half of the former estimate, as for weights.
  const auto next = ((pi_.values() + share_tensor(likely, device_)) * 0.5).clamp_min(kLeastShare);
  pi_.logits().copy_(next.log());
}

std::vector<train::NamedTensor> AdaptGame::state() const {
  std::vector<train::NamedTensor> state;
  const auto add = [&](const std::string& name, const std::vector<Tensor>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      state.emplace_back(concat(name, ".", i), tensors[i]);
    }
  };
  state.emplace_back("features", features_->parameters().flat());
  add("features.buffer", features_->buffers());
  if (pretrained_ > 0) add("backbone.optimizer", backbone_optimizer_.state());
  if (fresh_ > 0) add("features.optimizer", feature_optimizer_.state());
  state.emplace_back("classifier", classifier_.parameters().flat());
  add("classifier.optimizer", classifier_optimizer_.state());
  for (const auto& [name, tensor] : model_state()) state.emplace_back("sampled." + name, tensor);
  if (critic_) {
    state.emplace_back("critic", critic_->parameters().flat());
    add("critic.buffer", critic_->buffers());
    add("critic.optimizer", critic_optimizer_.state());
  }
  state.emplace_back("logits", pi_.logits());
  add("logits.optimizer", pi_optimizer_.state());
  state.emplace_back("sampled.logits", sampled_pi_.logits());
  state.emplace_back("share", share_);
  if (options_.self_weight > 0.0) state.emplace_back("seen", seen_);
  return state;
}

std::vector<train::NamedTensor> AdaptGame::model_state() const {
  return adapt::model_state(*sampled_features_, sampled_classifier_);
}

std::vector<std::vector<double>> AdaptGame::proportions() const {
  if (learns_pi(options_.method)) return {sampled_pi_.to_vector()};
  if (estimates_weights(options_.method)) return {bridge::to_vector(share_)};
  return {source_share_};
}

std::vector<double> AdaptGame::classifier_prior() const {
  if (estimates_weights(options_.method)) return bridge::to_vector(share_.clamp_min(1e-6));
  return training_prior(options_, source_share_);
}

nn::MixtureDraw AdaptGame::sample(std::int64_t count, std::size_t, const Rng& rng) const {
  const auto pi = proportions()[0];
  const auto sorted = by_class_.to(torch::kCPU);
  Rng draws = rng;
  nn::MixtureDraw result;
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto j = draws.categorical(pi);
    std::int64_t first = 0;
    for (std::size_t before = 0; before < j; ++before) {
      first += std::llround(source_share_[before] * static_cast<double>(by_class_.size(0)));
    }
    const auto own = std::llround(source_share_[j] * static_cast<double>(by_class_.size(0)));
    const auto place =
        first + static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(own)));
    rows.push_back(sorted.data_ptr<std::int64_t>()[place]);
    result.component_of.push_back(static_cast<std::uint32_t>(j));
  }
  result.rows = predict(data_.source, DomainSide::source, rows).features;
  return result;
}

Prediction AdaptGame::predict(const DomainRows& rows, DomainSide side,
                              std::span<const std::int64_t> chosen) const {
  return adapt::predict({*sampled_features_, sampled_classifier_}, rows, side, chosen);
}

Prediction AdaptGame::predict_target() const {
  return predict(data_.target, DomainSide::target, {});
}

Prediction AdaptGame::predict_some_target(std::int64_t most) const {
  return predict(data_.target, DomainSide::target, spread_rows(data_.target.size(), most));
}

double AdaptGame::source_accuracy() const {
  const auto& rows = data_.split.held_out.empty() ? data_.split.training : data_.split.held_out;
  const auto chosen = spread_rows(rows);
  std::vector<std::int64_t> truth;
  for (const auto row : chosen) truth.push_back(data_.class_of[static_cast<std::size_t>(row)]);
  const auto found = predict(data_.source, DomainSide::source, chosen);
  return score(truth, found.predicted, static_cast<std::size_t>(classes_)).mean_class_accuracy;
}

}  // namespace nw::adapt
