// The paper's tables "Mean classification accuracies averaged over 5 runs on imbalanced MNIST ->
// MNIST-M adaptation" and "Domain adaptation on mode-balanced datasets: MNIST -> MNIST-M".
#include <algorithm>
#include <array>
#include <map>

#include "nw/base/error.hpp"

#include "app/adaptation/settings.hpp"
#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/experiment.hpp"
#include "experiments/learning/adaptation_case.hpp"
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
    for (const auto recipe : {Recipe::robust, Recipe::best, Recipe::paper}) {
      for (std::size_t m = 0; m < std::size(kPaperMethods); ++m) {
        all.push_back({kPaperMethods[m], recipe, modes, kPaper.at(modes)[m]});
      }
      if (!rivals || recipe == Recipe::paper) continue;
      for (const auto method : kRivals) all.push_back({method, recipe, modes, std::nullopt});
    }
  }
  return all;
}

CaseOutcome run_one(const Case& which, const DigitSets& sets, std::uint64_t seed,
                    const ExperimentSettings& settings,
                    const std::function<bool(double)>& progress) {
  constexpr std::size_t kQuickRows = 1500;
  constexpr std::int64_t kQuickSteps = 60;
  auto domains = digit_domains(sets, which.modes, seed, settings.quick ? kQuickRows : 0);
  auto options = adapt::recipe_options(which.recipe, which.method,
                                       {static_cast<std::int64_t>(domains.classes.size()),
                                        domains.form, domains.target.rows.size()});
  if (settings.quick) options.steps = kQuickSteps;
  apply_settings(settings.changes, options);

  return run_adaptation_case({.name = which.name(),
                              .title = concat("MNIST to MNIST-M: ", which.name()),
                              .recipe = which.recipe,
                              .options = options,
                              .source_name = "MNIST",
                              .target_name = "MNIST-M",
                              .source_columns = sets.mnist.image_bytes(),
                              .target_columns = sets.mnist_m.image_bytes(),
                              .paper = which.paper},
                             std::move(domains), seed, settings, progress);
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
      "proportions; the final model, no choice by target labels."};
  for (auto& note : adaptation_metric_notes()) experiment.notes.push_back(std::move(note));
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
