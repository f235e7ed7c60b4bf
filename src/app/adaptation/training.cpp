#include "app/adaptation/training.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/run/training_record.hpp"

#include "app/learning/loop_spacing.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

enum Stream : std::uint64_t { kHoldout = 201, kNetworks = 202, kBootstrap = 203 };

constexpr double kHeldOutShare = 0.1;
// Bootstrap on more rows takes long and their intervals are narrow anyway.
constexpr std::int64_t kIntervalRows = 20000;

// Lines of the log between two that tell the consistency, and how many batches of target rows it
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
  if (method == adapt::AdaptMethod::nw) {
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

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
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

AdaptOutcome adapt_classifier(AdaptTask task) {
  if (task.device.is_cuda()) prefer_speed_on_gpus();
  const Rng rng(task.seed);
  const auto classes = static_cast<std::size_t>(task.options.classifier.classes);
  adapt::AdaptData data{.source = std::move(task.source),
                        .target = std::move(task.target),
                        .class_of = std::move(task.source_class),
                        .split = {}};
  data.split = adapt::hold_out(data.class_of, classes, kHeldOutShare, rng.split(kHoldout));
  AdaptOutcome outcome;
  outcome.game = std::make_unique<adapt::AdaptGame>(task.options, std::move(data),
                                                    rng.split(kNetworks), task.device);
  const auto loop = spaced_loop(task.options.steps, task.checkpoint_every);
  std::vector<run::MetricsRow> rows;
  Team* const team = task.options.team;
  const train::LoopMetrics watch = [&](std::int64_t step) {
    std::vector<std::pair<std::string, run::MetricValue>> values;
    if (step % (kLinesPerWatch * loop.log_every) == 0 || step == loop.steps) {
      const auto some =
          outcome.game->predict_some_target(kBatchesWatched * task.options.target_batch);
      const auto found = estimate(*outcome.game, some, bridge::to_matrix(some.posterior));
      values.emplace_back("consistency", found.consistency);
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
    return !task.observer || task.observer(at);
  };
  outcome.loop = train::play(*outcome.game, loop, task.directory, observer, watch, team);
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
  auto found = estimate(*outcome.game, outcome.target, posterior);
  outcome.pi = std::move(found.pi);
  outcome.pi_origin = std::move(found.origin);
  outcome.consistency = found.consistency;
  outcome.interval =
      adapt::bootstrap_proportions(posterior, outcome.prior, outcome.pi, rng.split(kBootstrap));
  outcome.confidence = std::get<0>(outcome.target.posterior.max(1)).mean().item<double>();
  return outcome;
}

void write_predictions(const std::string& file, const adapt::Prediction& prediction,
                       const adapt::Classes& classes) {
  std::string text = "row,predicted,probability\n";
  const auto best = std::get<0>(prediction.posterior.max(1)).contiguous();
  const float* probability = best.data_ptr<float>();
  for (std::size_t i = 0; i < prediction.predicted.size(); ++i) {
    text +=
        concat(i + 1, ",", quoted(classes.names[static_cast<std::size_t>(prediction.predicted[i])]),
               ",", probability[i], "\n");
  }
  io::write_file_atomically(file, text);
}

void add_scores(Json& json, const adapt::Scores& scores, const adapt::Classes& classes) {
  json["accuracy"] = scores.accuracy;
  json["mean_class_accuracy"] = scores.mean_class_accuracy;
  json["class_accuracy"] = Json::array();
  for (const double value : scores.class_accuracy) {
    json["class_accuracy"].push_back(std::isnan(value) ? Json(nullptr) : Json(value));
  }
  json["pi_target_true"] = scores.proportions;
  json["unknown_rows"] = scores.unknown_rows;
  json["confusion"] = Json::array();
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    const auto row = scores.confusion.row(truth);
    json["confusion"].push_back(std::vector<std::int64_t>(row.begin(), row.end()));
  }
}

}  // namespace nw::app
