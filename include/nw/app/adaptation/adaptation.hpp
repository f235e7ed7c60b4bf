// Adaptation: a classifier for a target without labels, from a source with labels.
//
//   const auto result = nw::app::adapt_classifier({.source = spring, .target = autumn});
//   const auto classes = result.model.predict(more_of_autumn);
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/adapt_method.hpp"
#include "nw/app/adaptation/classifier.hpp"
#include "nw/app/learning/run_folder.hpp"
#include "nw/base/option_field.hpp"
#include "nw/base/progress.hpp"
#include "nw/base/team.hpp"
#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// Both domains: tables of the same columns, or images. Labels of the target are for scoring only;
/// training never sees them.
struct AdaptationData {
  io::PointSet source;  ///< with labels of at least two classes
  io::PointSet target;
  std::string source_name = {}, target_name = {};  ///< for reports; empty: what the points say
};

struct AdaptationOptions {
  /// automatic: nw, judged by a classifier without adaptation, which is used where adaptation went
  /// wrong.
  adapt::AdaptMethod method = adapt::AdaptMethod::automatic;
  adapt::Recipe recipe = adapt::Recipe::automatic;
  /// Training steps; the recipe's by default.
  std::optional<std::int64_t> steps = {};
  /// "name=value": replaces values of the recipe. adaptation_settings() lists the names.
  std::vector<std::string> settings = {};
  /// Network of images: auto (the recipe's), lenet, small, or a file of weights, which is then what
  /// `weights` says.
  std::string network = "auto";
  /// A safetensors file of ResNet-18 or MobileNet-v1 that turns images into features and stays as
  /// it is. Empty: none.
  std::string weights = {};
  /// Such a file whose network is fine-tuned. Not together with `weights`.
  std::string fine_tune = {};
  std::uint64_t seed = 0;
  std::string device = "auto";  ///< auto, cpu or cuda
  int threads = 0;              ///< 0: all cores
  RunFolder run = {};
  /// Processes that share the rows of every step. Null: this one alone.
  Team* team = nullptr;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "method", .help = "What is done about the target"}, method);
    visit(OptionField{.name = "recipe",
                      .help = "Networks and rates: ours (best), those of the paper and its program "
                              "(paper), or a larger network for images on a GPU (robust)"},
          recipe);
    visit(OptionField{.name = "steps", .help = "Steps; the recipe's by default", .low = 1}, steps);
    visit(OptionField{.name = "settings", .help = "Replace values of the recipe", .setting = "set"},
          settings);
    visit(OptionField{.name = "network",
                      .help = "Network of images: auto, lenet, small, or a file of weights whose "
                              "features are taken"},
          network);
    visit(OptionField{.name = "weights",
                      .help = "Images as features of a network trained elsewhere: ResNet-18 or "
                              "MobileNet-v1"},
          weights);
    visit(OptionField{.name = "fine_tune",
                      .help = "Images through such a network, which is fine-tuned (for a GPU)"},
          fine_tune);
    visit(kSeedField, seed);
    visit(kDeviceField, device);
    visit(kThreadsField, threads);
  }
  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

struct Adaptation {
  AdaptedClassifier model = {};
  ClassPrediction target = {};    ///< of all target rows
  record::RunRecord record = {};  ///< record.adaptation holds the figures
  bool finished = false;          ///< all steps done: not stopped by the observer, not diverged
  bool repeated = false;          ///< the run directory held this result already
};

/// Trains, predicts the target and, with a run directory, leaves everything there. The observer is
/// called now and then; when it returns false, training stops after a checkpoint. In a team, those
/// that do not lead get `finished` alone. Throws InvalidArgument, and IoError for data that do not
/// fit each other.
[[nodiscard]] Adaptation adapt_classifier(AdaptationData data,
                                          const AdaptationOptions& options = {},
                                          const ProgressObserver& observer = {});

/// A value of a recipe that AdaptationOptions.settings can replace.
struct RecipeSetting {
  std::string name, help;
};
[[nodiscard]] std::vector<RecipeSetting> adaptation_settings();

}  // namespace nw::app
