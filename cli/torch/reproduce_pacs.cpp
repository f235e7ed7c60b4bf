// Adaptation between kinds of pictures by features of a network trained on ImageNet: the paper's
// VISDA table, and PACS as a stand-in that is a hundred times smaller. Three classes in the
// proportions 0.55, 0.33, 0.12 in the source and 0.12, 0.33, 0.55 in the target, or in equal ones.
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>

#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/data/byte_images.hpp"

#include "cli/data/data_folder.hpp"
#include "cli/reproduce/experiment.hpp"
#include "cli/torch/adapt_record.hpp"
#include "cli/torch/adapt_settings.hpp"
#include "cli/torch/adapt_training.hpp"
#include "cli/torch/case_table.hpp"
#include "cli/torch/class_features.hpp"
#include "cli/torch/session.hpp"

namespace nw::cli {
namespace {

namespace fs = std::filesystem;
using adapt::AdaptMethod;

constexpr AdaptMethod kMethods[] = {
    AdaptMethod::source_only, AdaptMethod::dann,  AdaptMethod::wasserstein, AdaptMethod::nw,
    AdaptMethod::iwdan,       AdaptMethod::sdann, AdaptMethod::bbse};
const std::vector<double> kFalling = {0.55, 0.33, 0.12}, kRising = {0.12, 0.33, 0.55},
                          kEqual = {1.0, 1.0, 1.0};

/// Features of one kind of pictures, with their classes.
struct Domain {
  std::string name;
  io::PointSet features;
};

/// One line of a table.
struct Case {
  const Domain* source = nullptr;
  const Domain* target = nullptr;
  bool balanced = false;
  AdaptMethod method = AdaptMethod::nw;
  std::optional<double> paper = {};  // per cent

  [[nodiscard]] std::string name() const {
    return concat(to_string(method), " ", source->name, " ", target->name,
                  balanced ? " balanced" : " imbalanced");
  }
};

/// As many rows as the proportions allow, other ones for every seed.
io::PointSet draw_subset(const io::PointSet& all, const std::vector<double>& proportions, Rng rng) {
  const std::vector<std::uint8_t> labels(all.labels->values.begin(), all.labels->values.end());
  std::vector<int> classes(proportions.size());
  for (std::size_t c = 0; c < classes.size(); ++c) classes[c] = static_cast<int>(c);
  const auto places = data::choose_by_proportions(labels, classes, proportions, rng);
  io::PointSet subset;
  subset.source = all.source;
  subset.values = Matrix(places.size(), all.dimension());
  subset.labels.emplace();
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::copy(all.values.row(places[i]).begin(), all.values.row(places[i]).end(),
              subset.values.row(i).begin());
    subset.labels->values.push_back(all.labels->values[places[i]]);
  }
  return subset;
}

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

CaseOutcome run_case(const Case& which, const std::vector<std::string>& class_names,
                     std::uint64_t seed, const ExperimentSettings& settings,
                     const std::function<bool(double)>& progress) {
  constexpr std::int64_t kQuickSteps = 40;
  const Rng rng(seed);
  const auto source =
      draw_subset(which.source->features, which.balanced ? kEqual : kFalling, rng.split(1));
  const auto target =
      draw_subset(which.target->features, which.balanced ? kEqual : kRising, rng.split(2));
  const auto form = adapt::fit_form(source, target);
  const adapt::Classes classes{class_names};
  const std::vector<std::int64_t> source_class(source.labels->values.begin(),
                                               source.labels->values.end());
  const std::vector<std::int64_t> target_class(target.labels->values.begin(),
                                               target.labels->values.end());
  auto options = adapt::recipe_options(adapt::Recipe::best, which.method,
                                       static_cast<std::int64_t>(classes.size()), form,
                                       static_cast<std::int64_t>(target.size()));
  if (settings.quick) options.steps = kQuickSteps;
  apply_settings(settings.changes, options);
  const auto outcome = adapt_classifier({.options = options,
                                         .source = adapt::rows_of(source, form),
                                         .target = adapt::rows_of(target, form),
                                         .source_class = source_class,
                                         .seed = seed,
                                         .device = choose_device(settings.device),
                                         .observer = [&](const train::LoopProgress& at) {
                                           return progress(static_cast<double>(at.step) /
                                                           static_cast<double>(at.steps));
                                         }});
  if (outcome.loop.end == train::LoopEnd::interrupted) return {};
  const auto scores = adapt::score(target_class, outcome.target.predicted, classes.size());
  CaseOutcome result{.end = CaseEnd::done,
                     .scores = {{"accuracy", 100.0 * scores.mean_class_accuracy},
                                {"pi_error", mean_absolute_error(outcome.pi, scores.proportions)},
                                {"objective", last_values(outcome.series, "critic/objective")},
                                {"consistency", outcome.consistency},
                                {"seconds", outcome.loop.seconds}}};
  auto& record = result.record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  record.title = which.name();
  record.seeds = {seed};
  record.data = {
      {.name = which.source->name, .rows = source.size(), .columns = source.dimension()},
      {.name = which.target->name, .rows = target.size(), .columns = target.dimension()}};
  tell({.source_name = which.source->name,
        .target_name = which.target->name,
        .recipe = adapt::Recipe::best,
        .classes = classes,
        .outcome = outcome,
        .scores = scores},
       record);
  record.seconds = outcome.loop.seconds;
  return result;
}

ExperimentResult run_cases(const std::vector<Case>& cases,
                           const std::vector<std::string>& class_names,
                           const ExperimentSettings& settings) {
  ExperimentResult experiment;
  experiment.notes = {
      "accuracy: per cent, mean over classes, on the target rows that were adapted to; the final "
      "model, no choice by target labels. The backbone stays as it is: its features are computed "
      "once and adapted as a table, recipe best.",
      "pi_error: mean absolute difference between the estimated proportions of the target and the "
      "true ones. objective (what the critic reached in the last tenth of the steps) and "
      "consistency need no label of the target."};
  CaseTable table;
  for (const auto& which : cases) table.names.push_back(which.name());
  table.run = [&](std::size_t which, std::uint64_t seed, const std::function<bool(double)>& heard) {
    return run_case(cases[which], class_names, seed, settings, heard);
  };
  table.paper = [&](std::size_t which, const std::string& metric) {
    return metric == "accuracy" ? cases[which].paper : std::nullopt;
  };
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

io::PointSet load_domain(const std::vector<ClassImages>& classes, const nn::Backbone& backbone,
                         const ExperimentSettings& settings) {
  return class_features(
      classes, settings.quick ? kQuickImages : 0,
      {.backbone = backbone, .side = settings.quick ? kQuickSide : nn::kBackboneSide, .go_on = [&] {
         return !settings.progress || settings.progress(0.0, "features");
       }});
}

std::unique_ptr<nn::Backbone> backbone_of(const fs::path& weights,
                                          const ExperimentSettings& settings) {
  auto backbone = adapt::load_backbone(weights);
  backbone->to(choose_device(settings.device));
  return backbone;
}

ExperimentResult run_visda_table(const ExperimentSettings& settings, bool balanced) {
  start_learning(settings.threads);
  const std::vector<std::string> names{"aeroplane", "horse", "truck"};
  const auto folder = find_data_folder(settings.data, "visda");
  const auto backbone = backbone_of(
      find_weights(folder, settings.data,
                   {"resnet18.safetensors", "mobilenet_v1_0.75_224_imagenet.safetensors"}),
      settings);
  try {
    const Domain source{"synthetic",
                        load_domain(folder_classes(folder / "train", names), *backbone, settings)};
    const Domain target{
        "real", load_domain(folder_classes(folder / "validation", names), *backbone, settings)};
    std::vector<Case> cases;
    const std::map<AdaptMethod, double> paper{{AdaptMethod::source_only, 53.19},
                                              {AdaptMethod::dann, 68.06},
                                              {AdaptMethod::wasserstein, 64.84},
                                              {AdaptMethod::nw, 73.23}};
    for (const auto method : kMethods) {
      Case which{&source, &target, balanced, method};
      if (!balanced && paper.contains(method)) which.paper = paper.at(method);
      cases.push_back(which);
    }
    return run_cases(std::move(cases), names, settings);
  } catch (const InterruptedFeatures&) {
    return {.interrupted = true};
  }
}

}  // namespace

ExperimentResult run_pacs(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const std::vector<std::string> names{"dog", "elephant", "horse"};
  fs::path folder = find_data_folder(settings.data, "pacs_subset");
  if (fs::is_directory(folder / "PACS")) folder /= "PACS";
  const auto backbone = backbone_of(
      find_weights(folder, settings.data,
                   {"mobilenet_v1_0.75_224_imagenet.safetensors", "resnet18.safetensors"}),
      settings);
  try {
    const Domain cartoon{"cartoon",
                         load_domain(pacs_classes(folder, "cartoon", names), *backbone, settings)};
    const Domain photo{"photo",
                       load_domain(pacs_classes(folder, "photo", names), *backbone, settings)};
    std::vector<Case> cases;
    for (const bool balanced : {false, true}) {
      for (const bool forward : {true, false}) {
        for (const auto method : kMethods) {
          cases.push_back(
              {forward ? &cartoon : &photo, forward ? &photo : &cartoon, balanced, method});
        }
      }
    }
    return run_cases(std::move(cases), names, settings);
  } catch (const InterruptedFeatures&) {
    return {.interrupted = true};
  }
}

ExperimentResult run_visda(const ExperimentSettings& settings) {
  return run_visda_table(settings, /*balanced=*/false);
}

ExperimentResult run_visda_balanced(const ExperimentSettings& settings) {
  return run_visda_table(settings, /*balanced=*/true);
}

}  // namespace nw::cli
