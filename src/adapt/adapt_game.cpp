// Balaji, Chellappa and Feizi 2019, section "Normalized Wasserstein for Domain Adaptation"
// [NW:uda]:
//   min over f, C and pi of  L_cl(C(f(X_s)), Y_s) + lambda W(sum_j pi_j f(X_s | Y_s = j), f(X_t)),
// with W in its dual. Rows of the source are drawn class by class; row i of class j has the mass
// pi_j / n_j. The other methods differ in two places only: in the masses (the source's own
// proportions, or estimated ones) and in what the critic ascends (critic_objective.cpp). Gradients
// of both players are sums of slopes times grad D, so the same passes of the critic serve all.
// Methods without a critic that compare the domains couple the rows of a step
// (joint_transport.cpp).
//
// Where we differ on purpose: all rows of a step go through the network at once; the critic steps
// of one step share its features, detached; gradients of all players are taken at one point.
#include "nw/adapt/adapt_game.hpp"

#include <algorithm>
#include <optional>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/lipschitz.hpp"

#include "adapt/augment.hpp"
#include "adapt/class_confusion.hpp"
#include "adapt/critic_objective.hpp"
#include "adapt/joint_transport.hpp"
#include "adapt/share_tensor.hpp"
#include "adapt/shared_rows.hpp"
#include "train/team_gradient.hpp"
#include "train/team_rows.hpp"

namespace nw::adapt {

using torch::Tensor;

namespace {

// Steps before one is recorded as a graph: libraries set themselves up in the first ones.
constexpr int kWarmSteps = 3;
// Self-training learns from target rows that the classifier is nearly as sure of as of the
// source's.
constexpr double kSureShare = 0.9;
// Weight of past steps in the mean posterior of target rows.
constexpr double kSeenMemory = 0.98;
enum Stream : std::uint64_t { kFeatures = 1, kClassifier = 2, kCritic = 3, kSteps = 4 };

Tensor class_tensor(const std::vector<std::int64_t>& values, const torch::Device& device) {
  return torch::tensor(values, torch::kInt64).to(device);
}

std::int64_t rows_in(const Tensor& batch) {
  return batch.defined() ? batch.size(0) : 0;
}

}  // namespace

/// Rows of one step, as networks take them. Undefined where the method has no use for them.
struct AdaptGame::Batch {
  Tensor natural, natural_class;  // as they come
  Tensor source;                  // sorted by class, class_batch of each
  Tensor target;
};

/// What the stages of one step hand on.
struct AdaptGame::Step {
  train::Draws& draws;
  bool adversarial;          // features follow the critic in this step
  Batch rows;                // of all processes
  Tensor classified = {};    // features that are classified, of this process's rows
  Tensor compared = {};      // features of source by class, then target; likewise
  Tensor all_compared = {};  // the same of all processes, detached
  Tensor target = {};        // features of the target's slightly, then strongly changed images
  Tensor log_odds = {};      // of `classified`
  Values values = {};
};

AdaptGame::AdaptGame(const AdaptOptions& options, AdaptData data, const Rng& rng,
                     const torch::Device& device)
    : options_(options),
      data_(std::move(data)),
      rng_(rng.split(kSteps)),
      device_(device),
      classes_(options.classifier.classes) {
  options_.validate();
  if (options_.team != nullptr) {
    const auto fewest =
        std::min({options_.target_batch, classes_ * options_.class_batch,
                  options_.natural_batch > 0 ? options_.natural_batch : options_.target_batch});
    require(fewest >= options_.team->size(), "AdaptGame: a step has batches of ", fewest,
            " rows, which ", options_.team->size(), " processes cannot share");
  }
  const auto k = static_cast<std::size_t>(classes_);
  std::vector<std::vector<std::int64_t>> rows(k);
  for (const auto row : data_.split.training) {
    const auto own = data_.class_of.at(static_cast<std::size_t>(row));
    require(own >= 0 && own < classes_, "AdaptGame: class ", own, " of ", classes_);
    rows[static_cast<std::size_t>(own)].push_back(row);
  }
  std::vector<std::int64_t> sorted, first, batch_class;
  std::vector<double> count;
  for (std::size_t j = 0; j < k; ++j) {
    require(!rows[j].empty(), "AdaptGame: class ", j, " has no rows to learn from");
    const auto copies = static_cast<std::size_t>(options_.class_batch);
    first.insert(first.end(), copies, static_cast<std::int64_t>(sorted.size()));
    count.insert(count.end(), copies, static_cast<double>(rows[j].size()));
    batch_class.insert(batch_class.end(), copies, static_cast<std::int64_t>(j));
    sorted.insert(sorted.end(), rows[j].begin(), rows[j].end());
  }
  if (options_.views) {
    const auto once = batch_class;
    batch_class.insert(batch_class.end(), once.begin(), once.end());
  }
  source_share_ = class_shares(data_.class_of, data_.split.training, k);
  by_class_ = class_tensor(sorted, device);
  first_ = class_tensor(first, device);
  batch_class_ = class_tensor(batch_class, device);
  all_class_ = class_tensor(data_.class_of, device);
  count_ = share_tensor(count, device);
  data_.source.to(device);
  data_.target.to(device);
  if (options_.views && options_.features.kind == nn::FeatureKind::mlp) {
    const auto moments = [&](const DomainRows& domain) {
      return column_moments(domain.take(torch::arange(domain.size(), by_class_.options())));
    };
    source_columns_ = moments(data_.source);
    target_columns_ = moments(data_.target);
  }

  features_ = nn::make_feature_network(options_.features, rng.split(kFeatures));
  sampled_features_ = nn::make_feature_network(options_.features, rng.split(kFeatures));
  classifier_ = nn::Classifier(options_.classifier, rng.split(kClassifier));
  sampled_classifier_ = nn::Classifier(options_.classifier, rng.split(kClassifier));
  features_->to(device);
  sampled_features_->to(device);
  classifier_.to(device);
  sampled_classifier_.to(device);
  pretrained_ = features_->pretrained();
  fresh_ = features_->parameters().count() - pretrained_;
  backbone_optimizer_ = train::Optimizer(options_.backbone_optimizer, pretrained_, device);
  feature_optimizer_ = train::Optimizer(options_.feature_optimizer, fresh_, device);
  classifier_optimizer_ =
      train::Optimizer(options_.classifier_optimizer, classifier_.parameters().count(), device);
  if (has_critic(options_.method)) {
    critic_ = nn::make_critic(options_.critic, rng.split(kCritic));
    critic_->to(device);
    critic_optimizer_ =
        train::Optimizer(options_.critic_optimizer, critic_->parameters().count(), device);
  }
  pi_ = nn::Proportions::learnt(classes_);
  pi_.to(device);
  sampled_pi_ = pi_.clone();
  pi_optimizer_ = train::Optimizer(options_.pi_optimizer, classes_, device);
  prior_ = share_tensor(source_share_, device);
  share_ = prior_.clone();
  lambda_ = torch::zeros({}, torch::TensorOptions().device(device));
  self_weight_ = torch::zeros_like(lambda_);
  seen_ = torch::full({classes_}, 1.0 / static_cast<double>(classes_), lambda_.options());
}

AdaptGame::Batch AdaptGame::draw(train::Draws& draws) const {
  const Augmentation of_target{.anywhere = options_.random_windows, .shift = options_.shift};
  Augmentation of_source = of_target;
  of_source.jitter = options_.jitter;
  Batch batch;
  if (options_.natural_batch > 0) {
    const auto chosen =
        by_class_.index_select(0, draws.indices(options_.natural_batch, by_class_.size(0)));
    batch.natural = data_.source.take(chosen, draws, of_source);
    batch.natural_class = all_class_.index_select(0, chosen);
  }
  if (compares() || options_.natural_batch == 0) {
    const auto within = (draws.uniform({first_.size(0)}) * count_).floor().minimum(count_ - 1.0);
    const auto chosen = by_class_.index_select(0, first_ + within.to(torch::kInt64));
    batch.source = options_.views ? both_views(data_.source, chosen, draws)
                                  : data_.source.take(chosen, draws, of_source);
  }
  if (sees_target(options_.method)) {
    const auto chosen = draws.indices(options_.target_batch, data_.target.size());
    batch.target = options_.views ? both_views(data_.target, chosen, draws)
                                  : data_.target.take(chosen, draws, of_target);
  }
  return batch;
}

Tensor AdaptGame::both_views(const DomainRows& rows, const Tensor& chosen,
                             train::Draws& draws) const {
  const torch::NoGradGuard no_grad;
  if (options_.features.kind == nn::FeatureKind::mlp) {
    const auto taken = rows.take(chosen);
    const auto& columns = &rows == &data_.source ? source_columns_ : target_columns_;
    const auto slight = weak_rows(taken, columns, draws);
    const auto mixed = options_.mixup > 0.0 ? mixed_rows(taken, options_.mixup, draws) : taken;
    return torch::cat({slight, strong_rows(mixed, columns, draws)});
  }
  // Grey images become coloured.
  const auto images =
      rows.take(chosen).expand({-1, options_.features.image.channels, -1, -1}).contiguous();
  const auto slight = weak_view(images, draws);
  return torch::cat({slight, strong_view(images, draws)});
}

Tensor AdaptGame::masses() const {
  const auto of_class = learns_pi(options_.method)              ? pi_.values()
                        : options_.method == AdaptMethod::iwdan ? share_
                                                                : prior_;
  const std::vector<std::int64_t> counts(static_cast<std::size_t>(classes_), options_.class_batch);
  return train::row_weights(of_class, counts);
}

Tensor AdaptGame::slopes(const Tensor& points, const Tensor& mass) const {
  const torch::NoGradGuard no_grad;
  const CriticObjective ascended(options_);
  // Those of W do not depend on the critic, whose pass is saved.
  return ascended.slopes(ascended.logistic ? critic_->forward(points) : points.select(1, 0), mass);
}

void AdaptGame::critic_step(const Tensor& compared, train::Draws& draws, bool moves_pi,
                            Values& values) {
  const torch::NoGradGuard no_grad;
  const auto mass = masses();
  const std::int64_t sources = mass.size(0), targets = compared.size(0) - sources;
  std::optional<nn::PenaltyBatch> penalty;
  if (options_.lipschitz == train::Lipschitz::gradient_penalty) {
    // Source rows by their mass, in evenly spread draws.
    const auto slots = (draws.uniform({targets}) + torch::arange(targets, mass.options())) /
                       static_cast<double>(targets);
    const auto chosen = torch::searchsorted(mass.cumsum(0), slots).clamp_max(sources - 1);
    penalty = {
        .points = nn::interpolate(compared.narrow(0, sources, targets),
                                  compared.index_select(0, chosen), draws.uniform({targets})),
        .coefficient = options_.penalty};
  }
  const auto result = train::parameter_gradient(
      options_.team, *critic_, {.points = compared, .weights = slopes(compared, mass)}, penalty);
  critic_optimizer_.step(critic_->parameters().flat(), result.gradient.neg());
  if (options_.lipschitz == train::Lipschitz::clipping && !is_logistic(options_.method)) {
    nn::clip_parameters(critic_->parameters(), options_.clip);
  }
  critic_->refresh();
  if (moves_pi) {
    const std::vector<std::int64_t> counts(static_cast<std::size_t>(classes_),
                                           options_.class_batch);
    const auto gradient = -train::component_means(result.values.narrow(0, 0, sources), counts);
    pi_optimizer_.step(pi_.logits(), pi_.logit_gradient(gradient));
  }
  values.objective = CriticObjective(options_).objective(result.values, mass);
  values.penalty = result.penalty;
}

AdaptGame::Values AdaptGame::learn(train::Draws& draws, bool adversarial) {
  const torch::AutoGradMode with_grad(true);
  Step step{.draws = draws, .adversarial = adversarial, .rows = draw(draws)};
  options_.views ? map_views(step) : map_rows(step);
  if (critic_) train_critic(step);
  auto loss = classification_loss(step);
  if (couples_rows(options_.method) && adversarial) loss = loss + transport_loss(step);
  if (step.target.defined() && options_.self_weight > 0.0) loss = loss + own_classes_loss(step);
  descend(step, loss);
  return step.values;
}

bool AdaptGame::compares() const {
  return critic_ != nullptr || couples_rows(options_.method);
}

std::int64_t AdaptGame::classified_rows() const {
  if (options_.natural_batch > 0) return options_.natural_batch;
  return (options_.views ? 2 : 1) * classes_ * options_.class_batch;
}

void AdaptGame::map_rows(Step& step) const {
  const auto shared = [&](const std::vector<std::int64_t>& batches) {
    return SharedRows(options_.team, batches, device_);
  };
  // Of this process's rows; parts may be undefined.
  const auto pass = [&](const Tensor& natural, const Tensor& source, const Tensor& target) {
    const auto labelled = !natural.defined()  ? source
                          : !source.defined() ? natural
                                              : torch::cat({natural, source});
    const auto all = shared({rows_in(natural), rows_in(source), rows_in(target)});
    return features_->forward(
        {.source = shared({rows_in(natural), rows_in(source)}).own(labelled),
         .target = shared({rows_in(target)}).own(target)},
        {.mode = nn::Mode::training, .uniform = all.uniform(step.draws), .team = options_.team});
  };
  const Batch& rows = step.rows;
  const bool natural = options_.natural_batch > 0;
  if (critic_ && natural && !step.adversarial && options_.features.norm == nn::FeatureNorm::none) {
    // Nothing flows back from the critic: what it sees needs no graph.
    step.classified = pass(rows.natural, {}, {});
    const torch::NoGradGuard no_grad;
    step.compared = pass({}, rows.source, rows.target);
    return;
  }
  const auto all = pass(rows.natural, rows.source, rows.target);
  const std::int64_t own = train::Part(options_.team, classified_rows()).count;
  step.classified = all.narrow(0, 0, own);
  const std::int64_t skipped = natural ? own : 0;
  if (compares()) step.compared = all.narrow(0, skipped, all.size(0) - skipped);
}

void AdaptGame::map_views(Step& step) const {
  const auto uniform = [&](at::IntArrayRef sizes) { return step.draws.uniform(sizes); };
  const auto all = features_->forward({.source = step.rows.source, .target = step.rows.target},
                                      {.mode = nn::Mode::training, .uniform = uniform});
  const std::int64_t sources = classes_ * options_.class_batch, targets = options_.target_batch;
  step.classified = all.narrow(0, 0, 2 * sources);
  if (!sees_target(options_.method)) return;
  step.target = all.narrow(0, 2 * sources, 2 * targets);
  if (!compares()) return;
  step.compared = torch::cat({all.narrow(0, 0, sources), step.target.narrow(0, 0, targets)});
}

void AdaptGame::train_critic(Step& step) {
  const SharedRows of_compared(options_.team,
                               {rows_in(step.rows.source), rows_in(step.rows.target)}, device_);
  step.all_compared = of_compared.gathered(step.compared.detach());
  const bool moves_pi = learns_pi(options_.method) && options_.likely_every == 0 &&
                        (step.adversarial || !options_.pi_with_features);
  for (std::int64_t c = 0; c < options_.critic_steps; ++c) {
    critic_step(step.all_compared, step.draws, moves_pi, step.values);
  }
}

Tensor AdaptGame::transport_loss(Step& step) {
  const std::int64_t sources = classes_ * options_.class_batch, targets = options_.target_batch;
  const auto target = step.compared.narrow(0, sources, targets);
  const auto mass = masses();
  const auto cost = joint_cost({.source = step.compared.narrow(0, 0, sources),
                                .class_of = batch_class_.narrow(0, 0, sources),
                                .mass = mass,
                                .target = target,
                                .log_odds = classifier_.forward(target)},
                               options_.transport_alpha);
  const auto found = joint_plan(cost, mass);
  const auto distance = (cost * found.plan).sum();
  if (learns_pi(options_.method) && options_.likely_every == 0) {
    const torch::NoGradGuard no_grad;
    const std::vector<std::int64_t> counts(static_cast<std::size_t>(classes_),
                                           options_.class_batch);
    const auto gradient = train::component_means(found.potential, counts);
    pi_optimizer_.step(pi_.logits(), pi_.logit_gradient(gradient));
  }
  step.values.objective = distance.detach();
  return distance * lambda_;
}

Tensor AdaptGame::classification_loss(Step& step) const {
  const bool natural = options_.natural_batch > 0;
  const SharedRows of_classified(options_.team, {classified_rows()}, device_);
  const auto class_of = of_classified.own(natural ? step.rows.natural_class : batch_class_);
  step.log_odds = classifier_.forward(step.classified, of_classified.uniform(step.draws));
  auto losses = -at::log_softmax(step.log_odds, 1).gather(1, class_of.unsqueeze(1)).squeeze(1);
  if (estimates_weights(options_.method)) {
    // Estimated target proportions over those that rows are drawn with.
    const auto weight = natural ? share_ / prior_ : share_ * static_cast<double>(classes_);
    losses = losses * weight.index_select(0, class_of);
  }
  auto loss = losses.mean();
  // A mean over all rows is the sum of the processes' means by their shares.
  if (options_.team != nullptr) loss = loss * of_classified.share();
  return loss;
}

Tensor AdaptGame::own_classes_loss(const Step& step) {
  const std::int64_t targets = options_.target_batch;
  const auto log_odds = classifier_.forward(step.target);
  if (options_.method == AdaptMethod::mcc) {
    return class_confusion(log_odds.narrow(0, 0, targets)) * self_weight_;
  }
  Tensor taken, counts;  // of the slightly changed images: their classes, and whether they count
  {
    const torch::NoGradGuard no_grad;
    auto posterior = at::softmax(log_odds.narrow(0, 0, targets), 1);
    seen_.lerp_(posterior.mean(0), 1.0 - kSeenMemory);
    if (options_.method != AdaptMethod::fixmatch) {
      // What is predicted too often counts less, until predictions come in the proportions pi.
      posterior = posterior * (pi_.values() / seen_.clamp_min(1e-4));
      posterior = posterior / posterior.sum(1, /*keepdim=*/true);
    }
    const auto [sure, best] = posterior.max(1);
    const auto of_source =
        at::softmax(step.log_odds.narrow(0, 0, classes_ * options_.class_batch), 1);
    counts = sure.gt(std::get<0>(of_source.max(1)).mean() * kSureShare).to(torch::kFloat32);
    taken = best;
  }
  const auto losses =
      -at::log_softmax(log_odds, 1).gather(1, torch::cat({taken, taken}).unsqueeze(1)).squeeze(1);
  const auto of_slight = options_.self_both ? counts : torch::zeros_like(counts);
  return (losses * torch::cat({of_slight, counts})).mean() * self_weight_;
}

Tensor AdaptGame::adversarial_slope(const Step& step) const {
  const torch::NoGradGuard no_grad;
  const SharedRows of_compared(options_.team,
                               {rows_in(step.rows.source), rows_in(step.rows.target)}, device_);
  const auto weights = of_compared.own(slopes(step.all_compared, masses()));
  return critic_->point_gradient({.points = step.compared.detach(), .weights = weights}).gradient *
         lambda_;
}

void AdaptGame::descend(Step& step, const Tensor& loss) {
  std::vector<Tensor> outputs{loss}, slope{torch::ones_like(loss)};
  if (critic_ && step.adversarial) {
    outputs.push_back(step.compared);
    slope.push_back(adversarial_slope(step));
  }
  std::vector<Tensor> leaves = features_->parameters().leaves();
  const auto split = static_cast<std::ptrdiff_t>(leaves.size());
  const auto& last = classifier_.parameters().leaves();
  leaves.insert(leaves.end(), last.begin(), last.end());
  const auto gradients = torch::autograd::grad(outputs, leaves, slope, /*retain_graph=*/false,
                                               /*create_graph=*/false, /*allow_unused=*/true);
  auto of_features =
      features_->parameters().flatten({gradients.begin(), gradients.begin() + split});
  auto of_classifier =
      classifier_.parameters().flatten({gradients.begin() + split, gradients.end()});
  step.values.classification = loss.detach();
  train::sum_over(options_.team, {&of_features, &of_classifier, &step.values.classification});
  const auto& weights = features_->parameters().flat();
  if (pretrained_ > 0) {
    backbone_optimizer_.step(weights.narrow(0, 0, pretrained_),
                             of_features.narrow(0, 0, pretrained_));
  }
  if (fresh_ > 0) {
    feature_optimizer_.step(weights.narrow(0, pretrained_, fresh_),
                            of_features.narrow(0, pretrained_, fresh_));
  }
  classifier_optimizer_.step(classifier_.parameters().flat(), of_classifier);
}

AdaptGame::Values AdaptGame::play(std::int64_t step, bool adversarial) {
  const std::size_t kind = adversarial ? 1 : 0;
  if (graph_[kind].recorded()) {
    graph_[kind].replay();
    return graph_values_[kind];
  }
  Values values;
  const auto once = [&] {
    train::Draws draws(rng_.split(static_cast<std::uint64_t>(step)), device_);
    values = learn(draws, adversarial);
  };
  // Sums over a team wait for others, and plans for the processor that finds them.
  const bool recordable = options_.record_steps && options_.team == nullptr &&
                          !couples_rows(options_.method) && device_.is_cuda() &&
                          train::DeviceGraph::available();
  if (recordable && warm_steps_[kind]++ >= kWarmSteps) {
    graph_[kind].record(once);
    graph_values_[kind] = values;
    graph_[kind].replay();
  } else {
    once();
  }
  return values;
}

void AdaptGame::set_rates(std::int64_t step, std::int64_t steps, double rate) {
  const double factor = rate * options_.schedule.factor(step, steps);
  backbone_optimizer_.set_rate_factor(factor);
  feature_optimizer_.set_rate_factor(factor);
  classifier_optimizer_.set_rate_factor(factor);
  if (critic_) critic_optimizer_.set_rate_factor(factor);
  pi_optimizer_.set_rate_factor(step < options_.pi_hold ? 0.0 : factor);
  const double along = std::clamp(static_cast<double>(step + 1 - options_.warm_up) /
                                      static_cast<double>(std::max<std::int64_t>(1, options_.ramp)),
                                  0.0, 1.0);
  lambda_.fill_(options_.lambda * along);
  const double done = static_cast<double>(step) / static_cast<double>(steps);
  self_weight_.fill_(
      options_.self_weight *
      std::clamp((done - options_.self_from) / std::max(options_.self_ramp, 1e-9), 0.0, 1.0));
}

train::StepValues AdaptGame::step(std::int64_t step, std::int64_t steps, double rate) {
  set_rates(step, steps, rate);
  if (estimates_weights(options_.method) && step > 0 && step >= options_.pi_hold &&
      step % options_.weight_every == 0) {
    estimate_weights();
  }
  if (sees_target(options_.method) && options_.likely_every > 0 && step > 0 &&
      step >= options_.pi_hold && step % options_.likely_every == 0) {
    estimate_pi();
  }
  const bool adversarial = compares() && (step + 1) % options_.feature_every == 0;
  const Values values = play(step, adversarial);
  average(step);
  train::StepValues result{{{"loss/classification", values.classification}}};
  if (critic_) result.values.emplace_back("critic/objective", values.objective);
  if (couples_rows(options_.method) && values.objective.defined()) {
    result.values.emplace_back("transport/cost", values.objective);
  }
  if (values.penalty.defined()) result.values.emplace_back("critic/penalty", values.penalty);
  return result;
}

}  // namespace nw::adapt
