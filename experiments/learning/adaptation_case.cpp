#include "experiments/learning/adaptation_case.hpp"

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/run/run_directory.hpp"

#include "app/adaptation/adapt_record.hpp"
#include "app/adaptation/judge_outcome.hpp"
#include "app/adaptation/settings.hpp"
#include "app/adaptation/training.hpp"
#include "app/learning/session.hpp"
#include "experiments/learning/kept_run.hpp"

namespace nw::experiments {
namespace {

/// Accuracy in per cent, mean over classes; error of pi against the target's rows; and numbers that
/// need no labels.
CaseOutcome outcome_of(record::RunRecord record) {
  const auto& result = record.adaptation.value();
  const double accuracy = result.test_mean_class_accuracy
                              ? *result.test_mean_class_accuracy
                              : result.scores.value().mean_class_accuracy;
  CaseOutcome outcome{.end = CaseEnd::done,
                      .scores = {{"accuracy", 100.0 * accuracy},
                                 {"pi_error", result.pi_error.value()},
                                 {"consistency", result.consistency},
                                 {"confidence", result.confidence},
                                 {"seconds", record.seconds}}};
  add_guarded_scores(result, outcome);
  outcome.record = std::move(record);
  return outcome;
}

/// Scores of rows that took no part in training.
void score_test_rows(const AdaptationCase& which, const AdaptOutcome& outcome,
                     const torch::Device& device, DigitDomains& domains,
                     record::RunRecord& record) {
  if (domains.test.rows.size() == 0) return;
  domains.test.rows.to(device);
  const auto test = outcome.game->predict(domains.test.rows, adapt::DomainSide::target, {});
  const auto scores = adapt::score(domains.test.class_of, test.predicted, domains.classes.size());
  record.adaptation->test_mean_class_accuracy = scores.mean_class_accuracy;
  record.adaptation->test_accuracy = scores.accuracy;
  record.metrics.insert(
      record.metrics.begin(),
      {.name = "test_mean_class_accuracy",
       .label = "Accuracy on test rows of the target, mean over classes",
       .value = scores.mean_class_accuracy,
       .expected = which.paper ? std::optional(*which.paper / 100.0) : std::nullopt});
}

}  // namespace

void add_guarded_scores(const record::AdaptationSummary& result, CaseOutcome& outcome) {
  const auto& judged = result.safeguard;
  if (!judged) return;
  outcome.scores.emplace_back("agreement", judged->agreement);
  outcome.scores.emplace_back("trusted",
                              judged->chosen == to_string(adapt::AdaptMethod::nw) ? 1.0 : 0.0);
  if (const auto plain = judged->unadapted_accuracy) {
    outcome.scores.emplace_back("unadapted_accuracy", 100.0 * *plain);
  }
}

GuardedOutcome train_guarded(AdaptTask task, bool guarded, const adapt::Classes& classes,
                             const std::vector<std::int64_t>& target_class) {
  AdaptTask again = task;      // rows are shared
  at::manual_seed(task.seed);  // a GPU draws from its own generator
  GuardedOutcome result{.used = train_classifier(std::move(task))};
  const auto interrupted = [](const AdaptOutcome& one) {
    return one.loop.end == train::LoopEnd::interrupted;
  };
  if (interrupted(result.used)) return {};
  if (!guarded) return result;
  again.options = adapt::without_adaptation(again.options);
  again.directory = nullptr;
  at::manual_seed(again.seed);
  auto plain = train_classifier(std::move(again));
  if (interrupted(plain)) return {};
  result.judged = judge_outcome(plain, result.used, classes, target_class);
  if (!result.judged->trusted) result.used = std::move(plain);
  return result;
}

CaseOutcome run_adaptation_case(const AdaptationCase& which, DigitDomains domains,
                                std::uint64_t seed, const ExperimentSettings& settings,
                                const std::function<bool(double)>& progress) {
  std::optional<run::RunDirectory> directory;
  if (!settings.runs.empty()) {
    Json config{
        {"command", "reproduce"}, {"case", which.name}, {"seed", seed}, {"quick", settings.quick}};
    config.update(options_json(which.options));
    if (which.guarded) config["safeguard"] = true;
    directory = open_kept_run(kept_folder(settings, which.name, seed), config);
    if (!directory) return {.end = CaseEnd::elsewhere};
    if (directory->finished()) return outcome_of(record::read_record(directory->path().string()));
  }
  const torch::Device device = choose_device(settings.device);
  AdaptTask task{.options = which.options,
                 .source = std::move(domains.source.rows),
                 .target = std::move(domains.target.rows),
                 .source_class = domains.source.class_of,
                 .seed = seed,
                 .device = device,
                 .observer = [&](const train::LoopProgress& at) {
                   return progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
                 }};
  task.directory = directory ? &*directory : nullptr;
  auto [outcome, judged] =
      train_guarded(std::move(task), which.guarded, domains.classes, domains.target.class_of);
  if (!outcome.game) return {};

  record::RunRecord record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  record.title = which.title;
  record.seeds = {seed};
  record.data = {{.name = which.source_name,
                  .rows = domains.source.class_of.size(),
                  .columns = which.source_columns},
                 {.name = which.target_name,
                  .rows = domains.target.class_of.size(),
                  .columns = which.target_columns}};
  describe_adaptation({.recipe = which.recipe,
                       .classes = domains.classes,
                       .outcome = outcome,
                       .scores = adapt::score(domains.target.class_of, outcome.target.predicted,
                                              domains.classes.size()),
                       .judged = judged},
                      record);
  score_test_rows(which, outcome, device, domains, record);
  record.seconds = directory ? directory->seconds() : outcome.loop.seconds;
  if (directory) record = directory->finish(std::move(record));
  return outcome_of(std::move(record));
}

std::vector<std::string> adaptation_metric_notes() {
  return {
      "pi_error: mean absolute difference between the estimated proportions of the target and the "
      "true ones of the rows that were adapted to. The paper gives none.",
      "consistency: 1 - total variation between the estimated proportions and the predicted "
      "classes; needs no labels.",
      "confidence: mean probability of the predicted class over target rows; needs no labels."};
}

}  // namespace nw::experiments
