#include "app/adaptation/adapt_record.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/record/projection.hpp"

#include "app/adaptation/settings.hpp"

namespace nw::app {
namespace {

constexpr double kAbsent = 0.005;      // a share below it counts as none
constexpr double kInconsistent = 0.9;  // pi and predictions that agree less deserve a warning
constexpr double kDisagreeing = 0.8;   // classifiers with and without adaptation, likewise
constexpr std::int64_t kFewRows = 100;
constexpr std::size_t kShownConfusions = 5;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += concat(text.empty() ? "" : ", ", name);
  return text;
}

/// "4 taken for 9: 123 of 5842 rows", the most frequent first.
std::vector<std::string> confusions(const adapt::Scores& scores, const adapt::Classes& classes) {
  struct Entry {
    double rows, of;
    std::size_t truth, taken;
  };
  std::vector<Entry> entries;
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    double of = 0.0;
    for (const double rows : scores.confusion.row(truth)) of += rows;
    for (std::size_t taken = 0; taken < classes.size(); ++taken) {
      const double rows = scores.confusion(truth, taken);
      if (truth != taken && rows > 0.0) entries.push_back({rows, of, truth, taken});
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.rows > b.rows; });
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(entries.size(), kShownConfusions); ++i) {
    const auto& entry = entries[i];
    lines.push_back(concat("Class ", classes.names[entry.truth], " is taken for ",
                           classes.names[entry.taken], " in ", entry.rows, " of ", entry.of,
                           " rows."));
  }
  return lines;
}

std::vector<std::string> warnings_of(const AdaptedTarget& adapted) {
  const auto& outcome = adapted.outcome;
  std::vector<std::string> warnings = outcome.loop.warnings;
  if (!adapted.unknown.empty()) {
    warnings.push_back(
        concat("The target has classes that the source lacks: ", joined(adapted.unknown), ". ",
               adapted.scores ? std::to_string(adapted.scores->unknown_rows) : "Their",
               " rows cannot be classified correctly and count as errors."));
  }
  const auto rows = outcome.target.posterior.size(0);
  if (rows < kFewRows) {
    warnings.push_back(
        concat("The target has ", rows, " rows: proportions and predictions are uncertain."));
  }
  if (const auto& judged = adapted.judged) {
    const auto& summary = judged->summary;
    if (!judged->trusted) {
      warnings.push_back(summary.reason);
    } else if (!judged->lost.empty()) {
      warnings.push_back(concat(
          summary.reason,
          " Where such rows are in the target, they are taken for other classes: look at some "
          "before you rely on it, or try another seed."));
    } else if (summary.agreement < kDisagreeing) {
      warnings.push_back(concat(
          summary.reason, " Adaptation changed much: look at some rows before you rely on it."));
    }
  }
  if (outcome.consistency < kInconsistent) {
    warnings.push_back(concat("The estimated proportions and the predicted classes agree to ",
                              percent(outcome.consistency, 4),
                              " only: features may be aligned with the wrong classes. Try another "
                              "seed or more steps."));
  }
  return warnings;
}

std::vector<std::string> absent_classes(const AdaptedTarget& adapted) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < adapted.classes.size(); ++j) {
    if (adapted.outcome.pi[j] < kAbsent) names.push_back(adapted.classes.names[j]);
  }
  return names;
}

record::AdaptationSummary summary_of(const AdaptedTarget& adapted) {
  const auto& outcome = adapted.outcome;
  record::AdaptationSummary summary{
      .method = to_string(outcome.game->options().method),
      .recipe = to_string(adapted.recipe),
      .classes = adapted.classes.names,
      .pi_target = outcome.pi,
      .pi_target_origin = outcome.pi_origin,
      .pi_target_likely = outcome.interval.likely,
      .pi_target_confused = outcome.confused,
      .pi_source = outcome.game->source_proportions(),
      .source_accuracy = outcome.source_accuracy,
      .consistency = outcome.consistency,
      .confidence = outcome.confidence,
      .steps = static_cast<std::uint64_t>(outcome.loop.steps),
      .end = to_string(outcome.loop.end),
      .recoveries = static_cast<std::uint64_t>(outcome.loop.recoveries)};
  for (std::size_t j = 0; j < outcome.pi.size(); ++j) {
    summary.pi_target_interval.push_back({outcome.interval.low[j], outcome.interval.high[j]});
  }
  if (adapted.judged) summary.safeguard = adapted.judged->summary;
  if (adapted.scores) {
    summary.scores = app::summary_of(*adapted.scores);
    summary.pi_error = mean_absolute_error(outcome.pi, adapted.scores->proportions);
  }
  return summary;
}

/// Pi over time by the names of classes, with the truth as level lines where it is known.
void name_proportions(const AdaptedTarget& adapted, record::RunRecord& record) {
  std::vector<record::Series> lines;
  std::size_t next = 0;
  for (auto& series : record.series) {
    if (series.chart != "pi" || series.x.empty()) continue;
    const std::size_t j = next++;
    if (j >= adapted.classes.size()) break;
    series.name = concat("pi ", adapted.classes.names[j]);
    if (!adapted.scores) continue;
    lines.push_back({.name = concat("truth ", adapted.classes.names[j]),
                     .x_label = series.x_label,
                     .y_label = series.y_label,
                     .x = {series.x.front(), series.x.back()},
                     .y = {adapted.scores->proportions[j], adapted.scores->proportions[j]},
                     .chart = series.chart});
  }
  record.series.insert(record.series.end(), lines.begin(), lines.end());
}

}  // namespace

void describe_adaptation(const AdaptedTarget& adapted, record::RunRecord& record) {
  const auto& outcome = adapted.outcome;
  const auto& options = outcome.game->options();
  const std::string end = outcome.loop.end == train::LoopEnd::finished
                              ? ""
                              : concat(" (", to_string(outcome.loop.end), ")");
  record.sentence =
      concat("After ", outcome.loop.steps, " steps", end, " of ", to_string(options.method));
  if (adapted.scores) {
    record.sentence +=
        concat(" the classifier is right for ", percent(adapted.scores->accuracy, 4),
               " of the target rows (", percent(adapted.scores->mean_class_accuracy, 4),
               " averaged over classes).");
    record.details = confusions(*adapted.scores, adapted.classes);
    record.metrics = {{.name = "accuracy", .label = "Accuracy", .value = adapted.scores->accuracy},
                      {.name = "mean_class_accuracy",
                       .label = "Accuracy, mean over classes",
                       .value = adapted.scores->mean_class_accuracy}};
  } else {
    record.sentence += concat(" the classifier gives its class a probability of ",
                              percent(outcome.confidence, 4), " on average.");
  }
  if (adapted.judged) {
    const auto rows = static_cast<std::size_t>(outcome.target.posterior.size(0));
    if (auto text = describe(adapted.judged->differing, rows, adapted.classes.names);
        !text.empty()) {
      record.details.push_back(std::move(text));
    }
  }
  if (const auto absent = absent_classes(adapted); !absent.empty()) {
    record.details.push_back(
        concat("Hardly anything in the target belongs to ", joined(absent), "."));
  }
  for (std::size_t j = 0; j < adapted.classes.size(); ++j) {
    record.metrics.push_back(
        {.name = concat("pi_target_", j),
         .label = concat("Share of ", adapted.classes.names[j], " in the target"),
         .value = outcome.pi[j],
         .interval = Interval{outcome.interval.low[j], outcome.interval.high[j]},
         .expected =
             adapted.scores ? std::optional(adapted.scores->proportions[j]) : std::nullopt});
  }
  if (adapted.scores) {
    for (std::size_t j = 0; j < adapted.classes.size(); ++j) {
      if (std::isnan(adapted.scores->class_accuracy[j])) continue;
      record.metrics.push_back({.name = concat("accuracy_", j),
                                .label = concat("Accuracy for ", adapted.classes.names[j]),
                                .value = adapted.scores->class_accuracy[j]});
    }
  }
  record.metrics.push_back({.name = "source_accuracy",
                            .label = "Accuracy on held-out source rows",
                            .value = outcome.source_accuracy});
  record.warnings = warnings_of(adapted);
  record.series = outcome.series;
  name_proportions(adapted, record);

  const auto drawn = static_cast<std::int64_t>(record::kDrawnRows);
  const Matrix source = bridge::to_matrix(outcome.game->sample(drawn, 0, Rng(0)).rows);
  const auto rows = outcome.target.features.size(0);
  const auto shown =
      torch::linspace(0, static_cast<double>(rows - 1), std::min(rows, drawn)).to(torch::kInt64);
  const Matrix target = bridge::to_matrix(outcome.target.features.index_select(0, shown));
  const record::Projection projection(source, target);
  record.figure = start_figure(projection, source, target);
  record.converged = outcome.loop.end == train::LoopEnd::finished;
  record.settings = {{"method", std::string(to_string(options.method))},
                     {"recipe", std::string(to_string(adapted.recipe))}};
  const Json settings = options_json(options);
  for (const auto& [name, value] : settings.items()) {
    if (value.is_number_integer()) record.settings.emplace_back(name, value.get<std::int64_t>());
    if (value.is_number_float()) record.settings.emplace_back(name, value.get<double>());
    if (value.is_string() && name != "method") {
      record.settings.emplace_back(name, value.get<std::string>());
    }
  }
  record.adaptation = summary_of(adapted);
}

}  // namespace nw::app
