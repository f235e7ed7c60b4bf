#include "nw/adapt/adapt_model.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/state_tensors.hpp"

namespace nw::adapt {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKind = "classifier";

}  // namespace

std::string model_json(const AdaptOptions& options, const InputForm& form, const Classes& classes,
                       const std::vector<double>& prior) {
  const auto& f = options.features;
  Json json{{"model", kKind},
            {"method", to_string(options.method)},
            {"features", to_string(f.kind)},
            {"image", {f.image.height, f.image.width, f.image.channels}},
            {"data_dim", f.data_dim},
            {"hidden", f.hidden},
            {"norm", to_string(f.norm)},
            {"unit_length", f.unit_length},
            {"feature_dim", options.classifier.feature_dim},
            {"classifier_hidden", options.classifier.hidden},
            {"is_image", form.is_image()},
            {"shift", form.shift},
            {"scale", form.scale},
            {"classes", classes.names},
            {"prior", prior}};
  if (f.kind == nn::FeatureKind::backbone) {
    json["backbone"] = {{"kind", to_string(f.backbone.kind)},
                        {"width", f.backbone.width},
                        {"blocks", f.backbone.blocks},
                        {"side", f.side},
                        {"head", f.head}};
  }
  return json.dump();
}

void TrainedModel::to(const torch::Device& device) {
  features->to(device);
  classifier.to(device);
}

Prediction TrainedModel::predict(DomainRows rows, const torch::Device& device) const {
  rows.to(device);
  return adapt::predict(*features, classifier, rows, DomainSide::target, {}, device);
}

TrainedModel load_model(const std::filesystem::path& run, const std::string& model) {
  TrainedModel result;
  nn::FeatureOptions features;
  nn::ClassifierOptions classifier;
  AdaptMethod method = AdaptMethod::nw;
  try {
    const Json json = Json::parse(model);
    require(json.value("model", "") == kKind, "it is the run of another command");
    method = adapt_method_from_string(json.at("method").get<std::string>());
    features.kind = nn::feature_kind_from_string(json.at("features").get<std::string>());
    features.image = {json.at("image").at(0).get<std::int64_t>(),
                      json.at("image").at(1).get<std::int64_t>(),
                      json.at("image").at(2).get<std::int64_t>()};
    features.data_dim = json.at("data_dim").get<std::int64_t>();
    features.hidden = json.at("hidden").get<std::vector<std::int64_t>>();
    features.norm = nn::feature_norm_from_string(json.at("norm").get<std::string>());
    features.unit_length = json.at("unit_length").get<bool>();
    if (features.kind == nn::FeatureKind::backbone) {
      const Json& backbone = json.at("backbone");
      features.backbone.kind =
          nn::backbone_kind_from_string(backbone.at("kind").get<std::string>());
      features.backbone.width = backbone.at("width").get<double>();
      features.backbone.blocks = backbone.at("blocks").get<std::int64_t>();
      features.backbone.classes = 0;
      features.side = backbone.at("side").get<std::int64_t>();
      features.head = backbone.at("head").get<std::vector<std::int64_t>>();
    }
    classifier.hidden = json.at("classifier_hidden").get<std::vector<std::int64_t>>();
    classifier.feature_dim = json.at("feature_dim").get<std::int64_t>();
    result.classes.names = json.at("classes").get<std::vector<std::string>>();
    result.prior = json.at("prior").get<std::vector<double>>();
    classifier.classes = static_cast<std::int64_t>(result.classes.size());
    require(result.prior.size() == result.classes.size(), "a prior of ", result.prior.size(),
            " classes");
    if (json.at("is_image").get<bool>()) {
      result.form.image = features.image;
    } else {
      result.form.shift = json.at("shift").get<std::vector<double>>();
      result.form.scale = json.at("scale").get<std::vector<double>>();
      require(result.form.shift.size() == result.form.scale.size() &&
                  result.form.dim() == features.data_dim,
              "columns that do not fit the network");
    }
    result.features = nn::make_feature_network(features, Rng(0));
    result.classifier = nn::Classifier(classifier, Rng(0));
    require(result.features->feature_dim() == classifier.feature_dim,
            "features that do not fit the classifier");
  } catch (const nlohmann::json::exception& error) {
    throw IoError(concat(run.string(), ": config.json describes no classifier: ", error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(concat(run.string(), ": config.json describes no classifier: ", error.what()));
  }
  const auto choice = run::read_newest_checkpoint(run::checkpoint_folder(run));
  if (!choice.checkpoint) throw IoError(concat(run.string(), ": there is no checkpoint yet"));
  const run::Checkpoint& checkpoint = *choice.checkpoint;
  result.step = checkpoint.step;
  auto share = torch::zeros({classifier.classes});
  std::vector<train::NamedTensor> tensors{
      {"sampled.features", result.features->parameters().flat()},
      {"sampled.classifier", result.classifier.parameters().flat()},
      {"share", share}};
  const auto buffers = result.features->buffers();
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    tensors.emplace_back(concat("sampled.features.buffer.", b), buffers[b]);
  }
  train::restore(checkpoint, tensors);
  if (estimates_weights(method)) result.prior = bridge::to_vector(share.clamp_min(1e-6));
  return result;
}

}  // namespace nw::adapt
