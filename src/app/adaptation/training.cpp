#include "app/adaptation/training.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/run/training_record.hpp"

#include "adapt/weight_estimate.hpp"
#include "app/adaptation/wider_intervals.hpp"
#include "app/learning/loop_spacing.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

enum Stream : std::uint64_t { kHoldout = 201, kNetworks = 202, kBootstrap = 203 };

constexpr double kHeldOutShare = 0.1;
// Bootstrap on more rows takes long and their intervals are narrow anyway.
constexpr std::int64_t kIntervalRows = 20000;

// What resampled rows and ways of counting leave out is what another training run would find: on
// pairs of domains that were measured, intervals held the truth for two thirds of the classes, and
// this much wider for nine in ten (docs/measurements/backbones_measured.md).
constexpr double kTrainingSpread = 0.75;

// Lines of the log between two with the consistency, and how many batches of target rows it
// comes from: a curve of twenty points for the price of some steps.
constexpr std::int64_t kLinesPerWatch = 10, kBatchesWatched = 4;

/// The proportions of the target, and how far the predicted classes agree with them.
struct Estimate {
  std::vector<double> pi;
  std::string origin;
  double consistency = 0.0;
};

Estimate estimate(const adapt::AdaptGame& game, const adapt::Prediction& target,
                  const Matrix& posterior) {
  const auto method = game.options().method;
  Estimate result;
  if (adapt::learns_pi(method) && game.options().likely_every == 0) {
    result = {.pi = game.proportions()[0], .origin = "learnt"};
  } else if (adapt::estimates_weights(method)) {
    result = {.pi = game.proportions()[0], .origin = "from confusions"};
  } else {
    result = {.pi = adapt::likely_proportions(posterior, game.classifier_prior()),
              .origin = "most likely under the classifier"};
  }
  const auto shares = predicted_shares(target.predicted, result.pi.size());
  result.consistency =
      1.0 - 0.5 * mean_absolute_error(result.pi, shares) * static_cast<double>(result.pi.size());
  return result;
}

/// The share of the rows of `some`, evenly spread among those of `all`, of the same class.
double agreement_on_some(const adapt::Prediction& all, const adapt::Prediction& some) {
  const auto rows = adapt::spread_rows(static_cast<std::int64_t>(all.predicted.size()),
                                       static_cast<std::int64_t>(some.predicted.size()));
  double same = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    same += all.predicted[static_cast<std::size_t>(rows[i])] == some.predicted[i] ? 1.0 : 0.0;
  }
  return same / static_cast<double>(rows.size());
}

}  // namespace

std::vector<double> predicted_shares(const std::vector<std::int64_t>& predicted,
                                     std::size_t classes) {
  std::vector<double> shares(classes, 0.0);
  for (const auto j : predicted) {
    shares[static_cast<std::size_t>(j)] += 1.0 / static_cast<double>(predicted.size());
  }
  return shares;
}

double mean_absolute_error(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::abs(a[j] - b[j]);
  return sum / static_cast<double>(a.size());
}

adapt::Holdout holdout_of(const std::vector<std::int64_t>& source_class, std::size_t classes,
                          std::uint64_t seed) {
  return adapt::hold_out(source_class, classes, kHeldOutShare, Rng(seed).split(kHoldout));
}

AdaptOutcome train_classifier(AdaptTask task) {
  if (task.device.is_cuda()) prefer_speed_on_gpus();
  const Rng rng(task.seed);
  const auto classes = static_cast<std::size_t>(task.options.classifier.classes);
  adapt::AdaptData data{.source = std::move(task.source),
                        .target = std::move(task.target),
                        .class_of = std::move(task.source_class),
                        .split = {}};
  data.split = holdout_of(data.class_of, classes, task.seed);
  AdaptOutcome outcome;
  outcome.game = std::make_unique<adapt::AdaptGame>(task.options, std::move(data),
                                                    rng.split(kNetworks), task.device);
  const auto loop = spaced_loop(task.options.steps, task.checkpoint_every);
  std::vector<run::MetricsRow> rows;
  Team* const team = task.options.team;
  std::optional<double> agreement;
  const train::LoopMetrics watch = [&](std::int64_t step) {
    std::vector<std::pair<std::string, run::MetricValue>> values;
    if (step % (kLinesPerWatch * loop.log_every) == 0 || step == loop.steps) {
      const auto some =
          outcome.game->predict_some_target(kBatchesWatched * task.options.target_batch);
      const auto estimated = estimate(*outcome.game, some, bridge::to_matrix(some.posterior));
      values.emplace_back("consistency", estimated.consistency);
      if (task.other != nullptr) {
        agreement = agreement_on_some(*task.other, some);
        values.emplace_back("agreement", *agreement);
      }
    }
    return values;
  };
  const auto observer = [&](const train::LoopProgress& at) {
    if (task.directory == nullptr && leads(team) && at.logged) {
      run::MetricsRow row{.step = at.step};
      for (const auto& [name, value] : at.values) row.values.emplace_back(name, value);
      row.values.emplace_back("pi", at.proportions[0]);
      for (auto& entry : watch(at.step)) row.values.push_back(std::move(entry));
      rows.push_back(std::move(row));
    }
    if (!task.observer) return true;
    if (!agreement) return task.observer(at);
    auto told = at;
    told.values.emplace_back("agreement", *agreement);
    return task.observer(told);
  };
  outcome.loop = train::play(
      *outcome.game, loop,
      {.directory = task.directory, .observer = observer, .metrics = watch, .team = team});
  if (!leads(team)) return outcome;  // the first process measures and reports
  if (task.directory != nullptr) {
    rows = run::read_metrics(run::metrics_file(task.directory->path()));
  }
  outcome.series = run::metric_series(rows);

  outcome.target = outcome.game->predict_target();
  outcome.prior = outcome.game->classifier_prior();
  outcome.source_accuracy = outcome.game->source_accuracy();
  const std::int64_t all = outcome.target.posterior.size(0);
  const auto used =
      all <= kIntervalRows
          ? outcome.target.posterior
          : outcome.target.posterior.index_select(
                0, torch::linspace(0, double(all - 1), kIntervalRows).to(torch::kInt64));
  const Matrix posterior = bridge::to_matrix(used);
  auto estimated = estimate(*outcome.game, outcome.target, posterior);
  outcome.pi = std::move(estimated.pi);
  outcome.pi_origin = std::move(estimated.origin);
  outcome.consistency = estimated.consistency;
  outcome.interval =
      adapt::bootstrap_proportions({posterior, outcome.prior}, outcome.pi, rng.split(kBootstrap));
  outcome.confused = outcome.game->confused_shares(outcome.target);
  // What another way of counting says is as likely as what resampling allows.
  widen_to(outcome.interval, outcome.confused);
  widen_by(outcome.interval, kTrainingSpread);
  outcome.confidence = std::get<0>(outcome.target.posterior.max(1)).mean().item<double>();
  return outcome;
}

record::ClassScores summary_of(const adapt::Scores& scores) {
  record::ClassScores summary{.accuracy = scores.accuracy,
                              .mean_class_accuracy = scores.mean_class_accuracy,
                              .class_accuracy = scores.class_accuracy,
                              .pi_target_true = scores.proportions,
                              .unknown_rows = scores.unknown_rows};
  for (std::size_t truth = 0; truth < scores.confusion.rows(); ++truth) {
    const auto row = scores.confusion.row(truth);
    summary.confusion.emplace_back(row.begin(), row.end());
  }
  return summary;
}

}  // namespace nw::app
