// The paper's tables "Mean classification accuracies averaged over 5 runs on imbalanced MNIST ->
// MNIST-M adaptation" and "Domain adaptation on mode-balanced datasets: MNIST -> MNIST-M".
#include <algorithm>
#include <array>
#include <map>

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/run/run_directory.hpp"

#include "app/adaptation/adapt_record.hpp"
#include "app/adaptation/settings.hpp"
#include "app/adaptation/training.hpp"
#include "app/learning/session.hpp"
#include "experiments/experiment.hpp"
#include "experiments/learning/case_table.hpp"
#include "experiments/learning/mnistm_domains.hpp"

namespace nw::experiments {
namespace {

using adapt::AdaptMethod;
using adapt::Recipe;

/// One line of a table.
struct Case {
  AdaptMethod method;
  Recipe recipe;
  int modes;                    // 0: balanced
  std::optional<double> paper;  // per cent
  [[nodiscard]] std::string name() const {
    return concat(to_string(method), " ", to_string(recipe), " ",
                  modes > 0 ? std::to_string(modes) : "balanced");
  }
};

constexpr AdaptMethod kPaperMethods[] = {AdaptMethod::source_only, AdaptMethod::dann,
                                         AdaptMethod::wasserstein, AdaptMethod::nw};
constexpr AdaptMethod kRivals[] = {AdaptMethod::iwdan, AdaptMethod::sdann, AdaptMethod::bbse};
// In the order of kPaperMethods.
const std::map<int, std::array<double, 4>> kPaper = {{3, {66.63, 62.34, 61.75, 75.06}},
                                                     {5, {67.44, 57.56, 60.56, 76.16}},
                                                     {10, {63.17, 59.31, 58.22, 68.57}},
                                                     {0, {60.22, 85.24, 83.47, 84.16}}};

std::vector<Case> all_cases(const std::vector<int>& settings, bool rivals) {
  std::vector<Case> all;
  for (const int modes : settings) {
    for (const auto recipe : {Recipe::best, Recipe::paper}) {
      for (std::size_t m = 0; m < std::size(kPaperMethods); ++m) {
        all.push_back({kPaperMethods[m], recipe, modes, kPaper.at(modes)[m]});
      }
      if (!rivals || recipe == Recipe::paper) continue;
      for (const auto method : kRivals) all.push_back({method, recipe, modes, std::nullopt});
    }
  }
  return all;
}

/// What one run contributes: accuracy in per cent, mean over classes, on test rows of the target;
/// error of pi against the target's training rows; and numbers that need no labels.
CaseOutcome outcome_of(record::RunRecord record) {
  const auto& result = record.adaptation.value();
  CaseOutcome outcome{.end = CaseEnd::done,
                      .scores = {{"accuracy", 100.0 * result.test_mean_class_accuracy.value()},
                                 {"pi_error", result.pi_error.value()},
                                 {"consistency", result.consistency},
                                 {"confidence", result.confidence},
                                 {"seconds", record.seconds}}};
  outcome.record = std::move(record);
  return outcome;
}

CaseOutcome run_one(const Case& which, const DigitSets& sets, std::uint64_t seed,
                    const ExperimentSettings& settings,
                    const std::function<bool(double)>& progress) {
  constexpr std::size_t kQuickRows = 1500;
  constexpr std::int64_t kQuickSteps = 60;
  auto domains = digit_domains(sets, which.modes, seed, settings.quick ? kQuickRows : 0);
  auto options = adapt::recipe_options(which.recipe, which.method,
                                       static_cast<std::int64_t>(domains.classes.size()),
                                       domains.form, domains.target.size());
  if (settings.quick) options.steps = kQuickSteps;
  apply_settings(settings.changes, options);

  std::optional<run::RunDirectory> directory;
  if (!settings.runs.empty()) {
    Json config{{"command", "reproduce"},
                {"case", which.name()},
                {"seed", seed},
                {"quick", settings.quick}};
    config.update(options_json(options));
    directory = open_kept_run(kept_folder(settings, which.name(), seed), config);
    if (!directory) return {.end = CaseEnd::elsewhere};
    if (directory->finished()) return outcome_of(record::read_record(directory->path().string()));
  }
  const torch::Device device = choose_device(settings.device);
  at::manual_seed(seed);
  const AdaptOutcome outcome = train_classifier({.options = options,
                                                 .source = std::move(domains.source),
                                                 .target = std::move(domains.target),
                                                 .source_class = domains.source_class,
                                                 .seed = seed,
                                                 .device = device,
                                                 .directory = directory ? &*directory : nullptr,
                                                 .observer = [&](const train::LoopProgress& at) {
                                                   return progress(static_cast<double>(at.step) /
                                                                   static_cast<double>(at.steps));
                                                 }});
  if (outcome.loop.end == train::LoopEnd::interrupted) return {};

  record::RunRecord record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  record.title = concat("MNIST to MNIST-M: ", which.name());
  record.seeds = {seed};
  record.data = {{.name = "MNIST", .rows = domains.source_class.size(), .columns = 784},
                 {.name = "MNIST-M", .rows = domains.target_class.size(), .columns = 3072}};
  describe_adaptation({.recipe = which.recipe,
                       .classes = domains.classes,
                       .outcome = outcome,
                       .scores = adapt::score(domains.target_class, outcome.target.predicted,
                                              domains.classes.size())},
                      record);
  domains.test.to(device);
  const auto test = outcome.game->predict(domains.test, adapt::DomainSide::target, {});
  const auto scores = adapt::score(domains.test_class, test.predicted, domains.classes.size());
  record.adaptation->test_mean_class_accuracy = scores.mean_class_accuracy;
  record.adaptation->test_accuracy = scores.accuracy;
  record.metrics.insert(
      record.metrics.begin(),
      {.name = "test_mean_class_accuracy",
       .label = "Accuracy on test rows of the target, mean over classes",
       .value = scores.mean_class_accuracy,
       .expected = which.paper ? std::optional(*which.paper / 100.0) : std::nullopt});
  record.seconds = directory ? directory->seconds() : outcome.loop.seconds;
  if (directory) record = directory->finish(std::move(record));
  return outcome_of(std::move(record));
}

ExperimentResult run_table(const ExperimentSettings& settings, const std::vector<int>& modes) {
  start_learning(settings.threads);
  const auto all = all_cases(modes, /*rivals=*/true);
  CaseTable table;
  for (const auto& which : all) table.names.push_back(which.name());
  (void)chosen_cases(table, settings.only);  // before seconds go into reading
  const DigitSets sets = load_digits(settings.data);
  ExperimentResult experiment;
  experiment.config = {{"MNIST-M", sets.published ? "the published images, bit for bit"
                                                  : "not the published images"},
                       {"device", settings.device}};
  experiment.notes = {
      "accuracy: per cent, mean over classes, on test rows of the target in the target's "
      "proportions; the final model, no choice by target labels.",
      "pi_error: mean absolute difference between the estimated proportions of the target and the "
      "true ones of its training rows. The paper gives none.",
      "consistency: 1 - total variation between the estimated proportions and the predicted "
      "classes; needs no labels.",
      "confidence: mean probability of the predicted class over target rows; needs no labels."};
  table.run = [&](std::size_t which, std::uint64_t seed, const std::function<bool(double)>& heard) {
    return run_one(all[which], sets, seed, settings, heard);
  };
  table.paper = [&](std::size_t which, const std::string& metric) {
    return metric == "accuracy" ? all[which].paper : std::nullopt;
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace

ExperimentResult run_mnistm_imbalanced(const ExperimentSettings& settings) {
  return run_table(settings, {3, 5, 10});
}

ExperimentResult run_mnistm_balanced(const ExperimentSettings& settings) {
  return run_table(settings, {0});
}

}  // namespace nw::experiments
