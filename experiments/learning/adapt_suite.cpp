// Adaptation where nothing was made for the pair: digits by other hands and cameras, classes in
// other proportions, the same recipe for every method. What the measure adds is the difference
// between `nw` and its neighbours in this table.
#include <optional>

#include "nw/base/error.hpp"

#include "app/adaptation/settings.hpp"
#include "app/learning/session.hpp"
#include "experiments/experiment.hpp"
#include "experiments/learning/adaptation_case.hpp"
#include "experiments/learning/digit_pairs.hpp"

namespace nw::experiments {
namespace {

using adapt::AdaptMethod;
using adapt::Recipe;

constexpr DigitPair kPairs[] = {DigitPair::mnist_usps, DigitPair::usps_mnist, DigitPair::svhn_mnist,
                                DigitPair::mnist_mnistm};
constexpr ClassShift kShifts[] = {ClassShift::skewed, ClassShift::none, ClassShift::dirichlet_1,
                                  ClassShift::dirichlet_03};
constexpr AdaptMethod kMethods[] = {
    AdaptMethod::automatic,  AdaptMethod::nw,          AdaptMethod::source_only,
    AdaptMethod::dann,       AdaptMethod::wasserstein, AdaptMethod::iwdan,
    AdaptMethod::sdann,      AdaptMethod::bbse,        AdaptMethod::self_training,
    AdaptMethod::fixmatch,   AdaptMethod::mcc,         AdaptMethod::deepjdot,
    AdaptMethod::deepjdot_pi};
constexpr std::size_t kMostRows = 10000, kQuickRows = 600;
constexpr std::int64_t kQuickSteps = 20;

struct Case {
  DigitPair pair;
  ClassShift shift;
  AdaptMethod method;
  [[nodiscard]] std::string name() const {
    return concat(to_string(pair), " ", to_string(shift), " ", to_string(method));
  }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto pair : kPairs) {
    for (const auto shift : kShifts) {
      for (const auto method : kMethods) cases.push_back({pair, shift, method});
    }
  }
  return cases;
}

/// The sets of one pair at a time: cases of a pair stand together.
class LastPair {
 public:
  explicit LastPair(std::string folder) : folder_(std::move(folder)) {}
  const DigitPairSets& of(DigitPair pair) {
    if (!sets_ || pair_ != pair) sets_ = load_digit_pair(folder_, pair);
    pair_ = pair;
    return *sets_;
  }

 private:
  std::string folder_;
  DigitPair pair_ = DigitPair::mnist_usps;
  std::optional<DigitPairSets> sets_;
};

}  // namespace

ExperimentResult run_adapt_suite(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const auto all = all_cases();
  CaseTable table;
  for (const auto& which : all) table.names.push_back(which.name());
  (void)chosen_cases(table, settings.only);
  if (settings.data.empty()) {
    throw IoError(
        "this table needs digits: give the folder of mnist/, usps/, svhn_digits/, bsds500_train/ "
        "and mnist_m/ with `data`");
  }
  ExperimentResult experiment;
  experiment.config = {{"recipe", to_string(Recipe::robust)}, {"device", settings.device}};
  experiment.notes = {
      "accuracy: per cent, mean over classes, on the target rows that were adapted to, whose "
      "labels no method sees; the final model.",
      "skewed: source 2:2:2:2:2:1:1:1:1:1, target .04 .04 .04 .06 .06 .12 .16 .16 .16 .16; none: "
      "both as they come; dirichlet: the target's proportions drawn anew for every seed."};
  experiment.notes.push_back(
      "recipe robust gives every method that sees the target self-training too, from two fifths of "
      "the steps on: dann, wasserstein, iwdan and deepjdot are these methods with self-training "
      "beside them, and 'nw' against 'self-training' is what the measure adds.");
  for (auto& note : adaptation_metric_notes()) experiment.notes.push_back(std::move(note));
  LastPair sets(settings.data);
  table.run = [&](std::size_t index, std::uint64_t seed, const std::function<bool(double)>& heard) {
    const auto& which = all[index];
    const auto& pair = sets.of(which.pair);
    auto domains =
        draw_digit_pair(pair, which.shift, seed, settings.quick ? kQuickRows : kMostRows);
    const bool guarded = which.method == AdaptMethod::automatic;
    auto options = adapt::recipe_options(Recipe::robust, guarded ? AdaptMethod::nw : which.method,
                                         {static_cast<std::int64_t>(domains.classes.size()),
                                          domains.form, domains.target.rows.size()});
    if (settings.quick) {
      options.steps = kQuickSteps;
      options.features.hidden = {4, 8, 8, 8};
      adapt::fit_to_features(options);
    }
    apply_settings(settings.changes, options);
    return run_adaptation_case(
        {.name = which.name(),
         .title = concat(pair.source_name, " to ", pair.target_name, ": ", to_string(which.method)),
         .recipe = Recipe::robust,
         .options = options,
         .source_name = pair.source_name,
         .target_name = pair.target_name,
         .source_columns = pair.source.image_bytes(),
         .target_columns = pair.target.image_bytes(),
         .guarded = guarded},
        std::move(domains), seed, settings, heard);
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
