#include "nw/app/adaptation/classifier.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/label_shift.hpp"
#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/base/moments.hpp"
#include "nw/base/number_text.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/run/run_directory.hpp"

#include "app/adaptation/training.hpp"
#include "app/learning/class_features.hpp"
#include "app/learning/file_bytes.hpp"
#include "app/learning/session.hpp"
#include "io/json_value.hpp"

namespace nw::app {
namespace {

namespace fs = std::filesystem;

// Below this some of the models are likely to have matched classes crosswise.
constexpr double kUsualAgreement = 0.8;

ClassPrediction plain(const adapt::Prediction& prediction) {
  return {.predicted = prediction.predicted,
          .probability = bridge::to_matrix(prediction.posterior)};
}

/// Of a run that is not finished: its configuration describes the networks.
adapt::TrainedModel unfinished_model(const fs::path& run) {
  const auto config = Json::parse(run::read_config(run));
  const std::string source = concat(run.string(), ": config.json");
  if (!config.contains("model")) throw IoError(concat(source, " describes no classifier"));
  auto description = adapt::parse_description(config.at("model").dump(), source);
  description.weights = config.value("weights", "");
  description.windows = config.value("windows", std::int64_t{1});
  return adapt::load_checkpoint_model(run, description);
}

/// Rows as the networks take them: features where they come from a network that stays as it is.
io::PointSet prepared(const adapt::TrainedModel& model, const io::PointSet& rows) {
  if (model.description.weights.empty()) return rows;
  const auto backbone = adapt::load_backbone(model.description.weights);
  return features_of(
      rows,
      {.backbone = *backbone, .side = nn::kBackboneSide, .windows = model.description.windows});
}

adapt::Prediction predict_prepared(adapt::TrainedModel& model, const io::PointSet& rows,
                                   const torch::Device& device) {
  model.to(device);
  return model.predict(adapt::rows_of(rows, model.description.form), device);
}

std::string disagreement(const std::vector<double>& agreements) {
  const auto least = std::ranges::min_element(agreements) - agreements.begin();
  const double mean = mean_of(agreements);
  if (mean >= kUsualAgreement) return "";
  return concat("the runs name the same class for ", significant(100.0 * mean, 3),
                " % of the rows: some may have matched classes crosswise (run ", least + 1,
                " agrees least with the others)");
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::vector<double> ClassPrediction::shares() const {
  return predicted_shares(predicted, probability.cols());
}

AdaptedClassifier AdaptedClassifier::load(const fs::path& path) {
  if (!fs::is_directory(path)) return from_bytes(read_bytes(path), path.string());
  if (const auto file = run::model_file(path); fs::exists(file)) {
    return from_bytes(read_bytes(file), file.string());
  }
  return AdaptedClassifier(std::make_shared<adapt::TrainedModel>(unfinished_model(path)));
}

AdaptedClassifier AdaptedClassifier::from_bytes(std::span<const std::byte> bytes,
                                                const std::string& source) {
  return AdaptedClassifier(
      std::make_shared<adapt::TrainedModel>(adapt::parse_model(bytes, source)));
}

std::vector<std::byte> AdaptedClassifier::to_bytes() const {
  require(model_ != nullptr, "AdaptedClassifier: there is no model");
  return adapt::to_bytes(*model_);
}

void AdaptedClassifier::save(const fs::path& file) const {
  write_bytes(file, to_bytes());
}

ClassPrediction AdaptedClassifier::predict(const io::PointSet& rows,
                                           const std::string& device) const {
  require(model_ != nullptr, "AdaptedClassifier: there is no model");
  return plain(predict_prepared(*model_, prepared(*model_, rows), choose_device(device)));
}

ClassPrediction AdaptedClassifier::predict(MatrixView rows, const std::string& device) const {
  io::PointSet points;
  points.values = Matrix({rows.values().begin(), rows.values().end()}, rows.rows(), rows.cols());
  points.source = "rows";
  return predict(points, device);
}

const std::vector<std::string>& AdaptedClassifier::classes() const {
  return model_->description.classes.names;
}
const std::vector<double>& AdaptedClassifier::prior() const {
  return model_->description.prior;
}
std::int64_t AdaptedClassifier::step() const {
  return model_->step;
}
const std::string& AdaptedClassifier::weights() const {
  return model_->description.weights;
}

std::vector<AdaptedClassifier> load_classifiers(const std::vector<std::string>& paths) {
  std::vector<AdaptedClassifier> models;
  for (const auto& path : paths) {
    models.push_back(AdaptedClassifier::load(path));
    const auto &first = models.front(), &last = models.back();
    const bool same_features =
        last.weights() == first.weights() &&
        last.model()->description.windows == first.model()->description.windows;
    if (!same_features || last.classes() != first.classes()) {
      throw IoError(concat(path, ": its classes or its features are not those of ", paths[0]));
    }
  }
  return models;
}

CommonPrediction predict_together(std::span<const AdaptedClassifier> models,
                                  const io::PointSet& rows, const std::string& device_name) {
  require(!models.empty(), "predict_together: no models");
  const auto points = prepared(*models.front().model(), rows);
  const torch::Device device = choose_device(device_name);
  std::vector<adapt::Prediction> of_each;
  for (const auto& one : models) {
    of_each.push_back(predict_prepared(*one.model(), points, device));
  }
  const auto mean = adapt::mean_prediction(of_each);
  CommonPrediction result{.mean = plain(mean),
                          .agreements = adapt::agreements(of_each),
                          .pi_likely = std::vector<double>(models.front().classes().size(), 0.0),
                          .scores = {},
                          .warning = {}};
  for (std::size_t r = 0; r < of_each.size(); ++r) {
    const auto likely =
        adapt::likely_proportions(bridge::to_matrix(of_each[r].posterior), models[r].prior());
    for (std::size_t j = 0; j < likely.size(); ++j) {
      result.pi_likely[j] += likely[j] / static_cast<double>(of_each.size());
    }
  }
  if (points.labels) {
    const auto& classes = models.front().model()->description.classes;
    result.scores = summary_of(
        adapt::score(classes.indices_of(*points.labels), mean.predicted, classes.size()));
  }
  result.warning = disagreement(result.agreements);
  return result;
}

void write_predictions(const fs::path& file, const ClassPrediction& prediction,
                       const std::vector<std::string>& classes) {
  std::string text = "row,predicted,probability\n";
  for (std::size_t i = 0; i < prediction.predicted.size(); ++i) {
    const auto j = static_cast<std::size_t>(prediction.predicted[i]);
    text += concat(i + 1, ",", quoted(classes[j]), ",", prediction.probability(i, j), "\n");
  }
  io::write_file_atomically(file, text);
}

}  // namespace nw::app
