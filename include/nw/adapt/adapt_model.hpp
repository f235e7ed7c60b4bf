// Trained classifiers: what must be remembered of them, to and from bytes and runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nw/adapt/adapt_options.hpp"
#include "nw/adapt/prediction.hpp"
#include "nw/train/game.hpp"

namespace nw::adapt {

/// The proportions that a classifier sees in training: equal ones, or those of the source rows that
/// are trained on, `source_share`. Methods that estimate weights replace them as they train.
[[nodiscard]] std::vector<double> training_prior(const AdaptOptions& options,
                                                 const std::vector<double>& source_share);

/// What predictions need besides weights.
struct ModelDescription {
  AdaptMethod method = AdaptMethod::nw;
  nn::FeatureOptions features = {};
  nn::ClassifierOptions classifier = {};
  InputForm form = {};
  Classes classes = {};
  std::vector<double> prior = {};  ///< proportions the classifier was trained with
  /// File of the network whose features of images are the columns; empty: rows are taken as given.
  std::string weights = {};
  /// Windows of an image over which these features are averaged: 4, or 1 in runs of older versions.
  std::int64_t windows = 1;
};

/// What new runs take.
inline constexpr std::int64_t kFeatureWindows = 4;

/// As the text of one JSON object.
[[nodiscard]] std::string to_json(const ModelDescription& description);

/// Reads what to_json wrote. Throws IoError that starts with `source`.
[[nodiscard]] ModelDescription parse_description(const std::string& json,
                                                 const std::string& source);

/// A classifier in memory.
struct TrainedModel {
  ModelDescription description;
  std::unique_ptr<nn::FeatureNetwork> features;
  nn::Classifier classifier;
  std::int64_t step = 0;  ///< of training

  /// Random weights.
  explicit TrainedModel(ModelDescription description);

  /// Everything that training decided, in place.
  [[nodiscard]] std::vector<train::NamedTensor> state() const;
  void to(const torch::Device& device);
  /// Predictions for rows of the target domain.
  [[nodiscard]] Prediction predict(DomainRows rows, const torch::Device& device) const;
};

/// The tensors of a classifier by their roles, as TrainedModel and AdaptGame name them.
[[nodiscard]] std::vector<train::NamedTensor> model_state(const nn::FeatureNetwork& features,
                                                          const nn::Classifier& classifier);

/// A model as the bytes of one safetensors file, and back. `source` starts the message of the
/// IoError that other bytes give.
[[nodiscard]] std::vector<std::byte> to_bytes(const TrainedModel& model);
[[nodiscard]] TrainedModel parse_model(std::span<const std::byte> bytes, const std::string& source);

/// The model of a run's newest checkpoint: for a run that is not finished. Throws IoError.
[[nodiscard]] TrainedModel load_checkpoint_model(const std::filesystem::path& run,
                                                 const ModelDescription& description);

}  // namespace nw::adapt
