// Trained classifiers: what a run must remember of them, and reading them back.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "nw/adapt/adapt_options.hpp"
#include "nw/adapt/prediction.hpp"

namespace nw::adapt {

/// What predictions need of a model, as the text of one JSON object for a run's configuration.
[[nodiscard]] std::string model_json(const AdaptOptions& options, const InputForm& form,
                                     const Classes& classes, const std::vector<double>& prior);

/// A model read back from a run.
struct TrainedModel {
  std::unique_ptr<nn::FeatureNetwork> features;
  nn::Classifier classifier;
  InputForm form;
  Classes classes;
  std::vector<double> prior;  ///< proportions the classifier was trained with
  std::int64_t step = 0;

  void to(const torch::Device& device);
  /// Predictions for rows of the target domain.
  [[nodiscard]] Prediction predict(DomainRows rows, const torch::Device& device) const;
};

/// The model of a run's newest checkpoint. `model` is what model_json wrote. Throws IoError.
[[nodiscard]] TrainedModel load_model(const std::filesystem::path& run, const std::string& model);

}  // namespace nw::adapt
