// Adaptation between kinds of pictures by features of a network trained on ImageNet: the paper's
// VISDA table, and PACS as a stand-in that is a hundred times smaller. Three classes in the
// proportions 0.55, 0.33, 0.12 in the source and 0.12, 0.33, 0.55 in the target, or in equal ones.
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>

#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/data/data_folder.hpp"

#include "app/adaptation/adapt_record.hpp"
#include "app/adaptation/settings.hpp"
#include "app/adaptation/training.hpp"
#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/experiment.hpp"
#include "experiments/learning/adaptation_case.hpp"
#include "experiments/learning/kept_run.hpp"
#include "experiments/learning/picture_domains.hpp"

namespace nw::experiments {
namespace {

namespace fs = std::filesystem;
using adapt::AdaptMethod;
using adapt::Recipe;

constexpr const char* kFineTune = "fine-tune";
constexpr AdaptMethod kMethods[] = {
    AdaptMethod::source_only, AdaptMethod::dann,  AdaptMethod::wasserstein, AdaptMethod::nw,
    AdaptMethod::iwdan,       AdaptMethod::sdann, AdaptMethod::bbse};
// These need rows in two views, or couple them on the processor: features of a frozen network.
constexpr AdaptMethod kMethodsOfFeatures[] = {AdaptMethod::automatic, AdaptMethod::self_training,
                                              AdaptMethod::fixmatch,  AdaptMethod::mcc,
                                              AdaptMethod::deepjdot,  AdaptMethod::deepjdot_pi};
const std::vector<double> kFalling = {0.55, 0.33, 0.12}, kRising = {0.12, 0.33, 0.55},
                          kEqual = {1.0, 1.0, 1.0};

/// The network behind a table: frozen, or the weights that every run starts from.
struct Network {
  fs::path file;
  std::unique_ptr<nn::Backbone> frozen = nullptr;
  std::shared_ptr<const nn::NamedTensors> weights = nullptr;
};

/// One line of a table.
struct Case {
  const PictureDomain* source = nullptr;
  const PictureDomain* target = nullptr;
  bool tuned = false, balanced = false;
  AdaptMethod method = AdaptMethod::nw;
  Recipe recipe = Recipe::best;
  std::optional<double> paper = {};  // per cent

  [[nodiscard]] std::string name() const {
    return concat(to_string(method), " ", source->name, " ", target->name,
                  balanced ? " balanced" : " imbalanced",
                  tuned ? concat(" fine-tuned ", to_string(recipe)) : "");
  }
};

/// The mean of the last tenth of a curve; zero where there is none.
double last_values(const std::vector<record::Series>& curves, const std::string& name) {
  for (const auto& curve : curves) {
    if (curve.name != name || curve.y.empty()) continue;
    const std::size_t tail = std::max<std::size_t>(1, curve.y.size() / 10);
    return std::accumulate(curve.y.end() - static_cast<std::ptrdiff_t>(tail), curve.y.end(), 0.0) /
           static_cast<double>(tail);
  }
  return 0.0;
}

adapt::AdaptOptions options_of(const Case& which, const PicturePair& pair, std::size_t classes,
                               const Network& network, const ExperimentSettings& settings) {
  constexpr std::int64_t kQuickSteps = 40, kQuickTunedSteps = 3, kQuickBatch = 4;
  auto options = adapt::recipe_options(
      which.recipe, which.method == AdaptMethod::automatic ? AdaptMethod::nw : which.method,
      {static_cast<std::int64_t>(classes), pair.form, pair.target.size(), network.weights});
  if (network.weights) options.features.side = 0;  // images have their size already
  if (settings.quick) {
    options.steps = network.weights ? kQuickTunedSteps : kQuickSteps;
    if (network.weights) {
      options.target_batch = options.class_batch = kQuickBatch;
      options.natural_batch = std::min(options.natural_batch, kQuickBatch);
    }
  }
  apply_settings(settings.changes, options);
  return options;
}

CaseOutcome run_case(const Case& which, const std::vector<std::string>& class_names,
                     const Network& network, std::uint64_t seed, const ExperimentSettings& settings,
                     const std::function<bool(double)>& progress) {
  auto pair = draw_pair(*which.source, which.balanced ? kEqual : kFalling, *which.target,
                        which.balanced ? kEqual : kRising, Rng(seed));
  const adapt::Classes classes{class_names};
  const auto options = options_of(which, pair, classes.size(), network, settings);
  const bool guarded = which.method == AdaptMethod::automatic;
  std::optional<run::RunDirectory> directory;
  if (const auto folder = kept_folder(settings, which.name(), seed); !folder.empty()) {
    Json config{{"command", "reproduce"},
                {"case", which.name()},
                {"seed", seed},
                {"quick", settings.quick},
                {"weights", network.file.filename().string()},
                {"rows_source", pair.source_class.size()},
                {"rows_target", pair.target_class.size()}};
    config.update(options_json(options));
    if (guarded) config["safeguard"] = true;
    directory = open_kept_run(folder, config);
    if (!directory) return {.end = CaseEnd::elsewhere};
    if (directory->finished()) return kept_outcome(*directory);
  }
  const auto rows_source = pair.source_class.size(), rows_target = pair.target_class.size();
  const auto columns = static_cast<std::size_t>(pair.form.dim());
  const auto [outcome, judged] = train_guarded(
      {.options = options,
       .source = std::move(pair.source),
       .target = std::move(pair.target),
       .source_class = std::move(pair.source_class),
       .seed = seed,
       .device = choose_device(settings.device),
       .directory = directory ? &*directory : nullptr,
       .observer =
           [&](const train::LoopProgress& at) {
             return progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
           }},
      guarded, classes, pair.target_class);
  if (!outcome.game) return {};
  const auto scores = adapt::score(pair.target_class, outcome.target.predicted, classes.size());
  CaseOutcome result{.end = CaseEnd::done};
  auto& record = result.record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  record.title = which.name();
  record.seeds = {seed};
  record.data = {{.name = which.source->name, .rows = rows_source, .columns = columns},
                 {.name = which.target->name, .rows = rows_target, .columns = columns}};
  describe_adaptation({.recipe = which.recipe,
                       .classes = classes,
                       .outcome = outcome,
                       .scores = scores,
                       .judged = judged},
                      record);
  record.seconds = directory ? directory->seconds() : outcome.loop.seconds;
  result.scores = {{"accuracy", 100.0 * scores.mean_class_accuracy},
                   {"pi_error", mean_absolute_error(outcome.pi, scores.proportions)},
                   {"objective", last_values(outcome.series, "critic/objective")},
                   {"consistency", outcome.consistency},
                   {"seconds", record.seconds}};
  add_guarded_scores(record.adaptation.value(), result);
  if (directory) {
    record.scores = result.scores;
    record = directory->finish(std::move(record));
  }
  return result;
}

ExperimentResult run_cases(const std::vector<Case>& cases,
                           const std::vector<std::string>& class_names, const Network& network,
                           const ExperimentSettings& settings, const std::function<void()>& load) {
  ExperimentResult experiment;
  experiment.notes = {
      concat("accuracy: per cent, mean over classes, on the target rows that were adapted to; the "
             "final model, no choice by target labels. ",
             network.frozen ? "The backbone stays as it is: its features are computed once and "
                              "adapted as a table, recipe best."
                            : "The backbone is fine-tuned; recipe paper is the paper's table."),
      "pi_error: mean absolute difference between the estimated proportions of the target and the "
      "true ones. objective (what the critic reached in the last tenth of the steps) and "
      "consistency need no label of the target."};
  CaseTable table;
  for (const auto& which : cases) table.names.push_back(which.name());
  table.run = [&](std::size_t which, std::uint64_t seed, const std::function<bool(double)>& heard) {
    return run_case(cases[which], class_names, network, seed, settings, heard);
  };
  table.paper = [&](std::size_t which, const std::string& metric) {
    return metric == "accuracy" ? cases[which].paper : std::nullopt;
  };
  (void)chosen_cases(table, settings.only);  // before minutes go into reading
  try {
    load();
  } catch (const InterruptedFeatures&) {
    experiment.interrupted = true;
    return experiment;
  }
  run_case_table(table, settings, experiment);
  return experiment;
}

/// Weights by name in the folder of the data or beside it.
fs::path find_weights(const fs::path& data, const std::string& given,
                      const std::vector<std::string>& names) {
  std::string tried;
  for (const auto& folder : {data, data.parent_path(), data / "weights",
                             fs::path(given) / "weights", data.parent_path() / "weights"}) {
    for (const auto& name : names) {
      if (fs::exists(folder / name)) return folder / name;
    }
  }
  for (const auto& name : names) tried += concat(tried.empty() ? "" : " or ", name);
  throw IoError(concat(data.string(), ": there is no file of weights: put ", tried,
                       " there or into a folder 'weights' beside it (docs/backbones.md)"));
}

/// Number of tiles of each sheet, where a counts.txt says so.
std::map<std::string, std::size_t> read_counts(const fs::path& file) {
  std::ifstream stream(file);
  std::map<std::string, std::size_t> counts;
  std::string name;
  for (std::size_t count = 0; stream >> name >> count;) counts[name] = count;
  return counts;
}

/// Sheets of tiles (pacs_photo_dog.jpg ... with counts.txt) or the public folders (photo/dog/...).
std::vector<ClassImages> pacs_classes(const fs::path& folder, const std::string& domain,
                                      const std::vector<std::string>& names) {
  constexpr std::size_t kTile = 96, kColumns = 20;
  const auto counts = read_counts(folder / "counts.txt");
  std::vector<ClassImages> classes;
  for (const auto& name : names) {
    const std::string sheet = concat("pacs_", domain, "_", name, ".jpg");
    if (fs::exists(folder / sheet)) {
      const auto count = counts.find(sheet);
      classes.push_back({folder / sheet,
                         {.width = kTile,
                          .height = kTile,
                          .columns = kColumns,
                          .count = count == counts.end() ? 0 : count->second}});
    } else {
      classes.push_back({folder / domain / name, {}});
    }
  }
  return classes;
}

std::vector<ClassImages> folder_classes(const fs::path& folder,
                                        const std::vector<std::string>& names) {
  std::vector<ClassImages> classes;
  for (const auto& name : names) classes.push_back({folder / name, {}});
  return classes;
}

/// Images of a class in the quick version, which shows that everything works.
constexpr std::size_t kQuickImages = 30;
constexpr std::int64_t kQuickSide = 96;

void load_domain(PictureDomain& domain, const std::vector<ClassImages>& classes,
                 const Network& network, const ExperimentSettings& settings) {
  const std::size_t limit = settings.quick ? kQuickImages : 0;
  const std::int64_t side = settings.quick ? kQuickSide : nn::kBackboneSide;
  const auto go_on = [&] {
    return !settings.progress || settings.progress(0.0, network.frozen ? "features" : "images");
  };
  if (network.frozen) {
    domain.features = class_features(classes, limit,
                                     {.backbone = *network.frozen,
                                      .side = side,
                                      .windows = adapt::kFeatureWindows,
                                      .go_on = go_on});
  } else {
    domain.images = class_images(classes, limit, side, go_on);
  }
}

Network network_of(const fs::path& weights, const ExperimentSettings& settings) {
  Network network{.file = weights};
  if (settings.method == kFineTune) {
    network.weights = adapt::read_backbone_weights(weights);
  } else {
    network.frozen = adapt::load_backbone(weights);
    network.frozen->to(choose_device(settings.device));
  }
  return network;
}

/// The methods of a table.
std::vector<AdaptMethod> methods_of(const Network& network) {
  std::vector<AdaptMethod> methods(std::begin(kMethods), std::end(kMethods));
  if (network.frozen) {
    methods.insert(methods.end(), std::begin(kMethodsOfFeatures), std::end(kMethodsOfFeatures));
  }
  return methods;
}

/// The recipes of a table: a frozen network has one.
std::vector<Recipe> recipes_of(const Network& network) {
  return network.frozen ? std::vector{Recipe::best} : std::vector{Recipe::best, Recipe::paper};
}

ExperimentResult run_visda_table(const ExperimentSettings& settings, bool balanced) {
  start_learning(settings.threads);
  const std::vector<std::string> names{"aeroplane", "horse", "truck"};
  const auto folder = data::find_data_folder(settings.data, "visda");
  const auto network = network_of(
      find_weights(folder, settings.data,
                   {"resnet18.safetensors", "mobilenet_v1_0.75_224_imagenet.safetensors"}),
      settings);
  PictureDomain source{.name = "synthetic"}, target{.name = "real"};
  const std::map<AdaptMethod, double> imbalanced_paper{{AdaptMethod::source_only, 53.19},
                                                       {AdaptMethod::dann, 68.06},
                                                       {AdaptMethod::wasserstein, 64.84},
                                                       {AdaptMethod::nw, 73.23}};
  const std::map<AdaptMethod, double> balanced_paper{{AdaptMethod::source_only, 63.24},
                                                     {AdaptMethod::dann, 84.71},
                                                     {AdaptMethod::wasserstein, 90.08},
                                                     {AdaptMethod::nw, 90.72}};
  const auto& paper = balanced ? balanced_paper : imbalanced_paper;
  std::vector<Case> cases;
  for (const auto recipe : recipes_of(network)) {
    for (const auto method : methods_of(network)) {
      Case which{&source, &target, !network.frozen, balanced, method, recipe};
      if (paper.contains(method)) which.paper = paper.at(method);
      cases.push_back(which);
    }
  }
  return run_cases(cases, names, network, settings, [&] {
    load_domain(source, folder_classes(folder / "train", names), network, settings);
    load_domain(target, folder_classes(folder / "validation", names), network, settings);
  });
}

}  // namespace

ExperimentResult run_pacs(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const std::vector<std::string> names{"dog", "elephant", "horse"};
  fs::path folder = data::find_data_folder(settings.data, "pacs_subset");
  if (fs::is_directory(folder / "PACS")) folder /= "PACS";
  const auto network = network_of(
      find_weights(folder, settings.data,
                   {"mobilenet_v1_0.75_224_imagenet.safetensors", "resnet18.safetensors"}),
      settings);
  PictureDomain cartoon{.name = "cartoon"}, photo{.name = "photo"};
  std::vector<Case> cases;
  for (const bool balanced : {false, true}) {
    for (const bool forward : {true, false}) {
      for (const auto recipe : recipes_of(network)) {
        for (const auto method : methods_of(network)) {
          cases.push_back({forward ? &cartoon : &photo, forward ? &photo : &cartoon,
                           !network.frozen, balanced, method, recipe});
        }
      }
    }
  }
  return run_cases(cases, names, network, settings, [&] {
    load_domain(cartoon, pacs_classes(folder, "cartoon", names), network, settings);
    load_domain(photo, pacs_classes(folder, "photo", names), network, settings);
  });
}

ExperimentResult run_visda(const ExperimentSettings& settings) {
  return run_visda_table(settings, /*balanced=*/false);
}

ExperimentResult run_visda_balanced(const ExperimentSettings& settings) {
  return run_visda_table(settings, /*balanced=*/true);
}

}  // namespace nw::experiments
