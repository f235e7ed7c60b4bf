#include "nw/adapt/adapt_model.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/state_tensors.hpp"

#include "adapt/model_bytes.hpp"
#include "io/json_value.hpp"

namespace nw::adapt {
namespace {

constexpr const char* kKind = "classifier";
// What checkpoints call the averages that predict.
constexpr const char* kCheckpointPrefix = "sampled.";

/// The one list of what is remembered: writing and reading walk it.
template <typename Description, typename Visit>
void visit_description(Description& model, Visit&& visit) {
  auto& f = model.features;
  visit("method", model.method);
  visit("features", f.kind);
  visit("image", f.image);
  visit("data_dim", f.data_dim);
  visit("hidden", f.hidden);
  visit("norm", f.norm);
  visit("unit_length", f.unit_length);
  visit("feature_dim", model.classifier.feature_dim);
  visit("classifier_hidden", model.classifier.hidden);
  visit("shift", model.form.shift);
  visit("scale", model.form.scale);
  visit("classes", model.classes.names);
  visit("prior", model.prior);
  if (f.kind != nn::FeatureKind::backbone) return;
  visit.inside("backbone", [&](auto& part) {
    part("kind", f.backbone.kind);
    part("width", f.backbone.width);
    part("blocks", f.backbone.blocks);
    part("side", f.side);
    part("head", f.head);
  });
}

struct Writer {
  Json& json;

  template <typename T>
  void operator()(const char* name, const T& value) {
    if constexpr (std::is_enum_v<T>) {
      json[name] = to_string(value);
    } else if constexpr (std::is_same_v<T, nn::ImageSize>) {
      json[name] = {value.height, value.width, value.channels};
    } else {
      json[name] = value;
    }
  }
  template <typename Visit>
  void inside(const char* name, Visit&& visit) {
    Writer part{json[name]};
    visit(part);
  }
};

void from_text(const std::string& text, AdaptMethod& out) {
  out = parse_choice<AdaptMethod>(text, "method");
}
void from_text(const std::string& text, nn::FeatureKind& out) {
  out = nn::feature_kind_from_string(text);
}
void from_text(const std::string& text, nn::FeatureNorm& out) {
  out = nn::feature_norm_from_string(text);
}
void from_text(const std::string& text, nn::BackboneKind& out) {
  out = nn::backbone_kind_from_string(text);
}

struct Reader {
  const Json& json;

  template <typename T>
  void operator()(const char* name, T& value) {
    const Json& field = json.at(name);
    if constexpr (std::is_enum_v<T>) {
      from_text(field.template get<std::string>(), value);
    } else if constexpr (std::is_same_v<T, nn::ImageSize>) {
      value = {field.at(0).template get<std::int64_t>(), field.at(1).template get<std::int64_t>(),
               field.at(2).template get<std::int64_t>()};
    } else {
      value = field.template get<T>();
    }
  }
  template <typename Visit>
  void inside(const char* name, Visit&& visit) {
    Reader part{json.at(name)};
    visit(part);
  }
};

/// Throws InvalidArgument where parts contradict each other.
void require_consistent(const ModelDescription& model) {
  require(model.prior.size() == model.classes.size(), "a prior of ", model.prior.size(),
          " classes");
  if (model.form.is_image()) return;
  require(model.form.shift.size() == model.form.scale.size() &&
              model.form.dim() == model.features.data_dim,
          "columns that do not fit the network");
}

/// The networks for a description that was read. Throws IoError.
TrainedModel build(const ModelDescription& description, const std::string& source) {
  try {
    return TrainedModel(description);
  } catch (const InvalidArgument& error) {
    throw IoError(concat(source, " describes no classifier: ", error.what()));
  }
}

}  // namespace

std::vector<double> training_prior(const AdaptOptions& options,
                                   const std::vector<double>& source_share) {
  if (options.natural_batch > 0) return source_share;
  return std::vector<double>(source_share.size(), 1.0 / static_cast<double>(source_share.size()));
}

std::string to_json(const ModelDescription& description) {
  Json json{{"model", kKind}, {"is_image", description.form.is_image()}};
  visit_description(description, Writer{json});
  if (!description.weights.empty()) {
    json["weights"] = description.weights;
    json["windows"] = description.windows;
  }
  return json.dump();
}

ModelDescription parse_description(const std::string& text, const std::string& source) {
  try {
    const Json json = Json::parse(text);
    require(json.value("model", "") == kKind, "it belongs to another command");
    ModelDescription model;
    visit_description(model, Reader{json});
    model.weights = json.value("weights", "");
    model.windows = json.value("windows", std::int64_t{1});
    model.features.backbone.classes = 0;
    model.classifier.classes = static_cast<std::int64_t>(model.classes.size());
    if (json.at("is_image").get<bool>()) {
      model.form = {.image = model.features.image, .shift = {}, .scale = {}};
    }
    require_consistent(model);
    return model;
  } catch (const nlohmann::json::exception& error) {
    throw IoError(concat(source, " describes no classifier: ", error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(concat(source, " describes no classifier: ", error.what()));
  }
}

std::vector<train::NamedTensor> model_state(const nn::FeatureNetwork& features,
                                            const nn::Classifier& classifier) {
  std::vector<train::NamedTensor> state{{"features", features.parameters().flat()}};
  const auto buffers = features.buffers();
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    state.emplace_back(concat("features.buffer.", b), buffers[b]);
  }
  state.emplace_back("classifier", classifier.parameters().flat());
  return state;
}

TrainedModel::TrainedModel(ModelDescription of)
    : description(std::move(of)),
      features(nn::make_feature_network(description.features, Rng(0))),
      classifier(description.classifier, Rng(0)) {
  require(features->feature_dim() == description.classifier.feature_dim,
          "features that do not fit the classifier");
}

std::vector<train::NamedTensor> TrainedModel::state() const {
  return model_state(*features, classifier);
}

void TrainedModel::to(const torch::Device& device) {
  features->to(device);
  classifier.to(device);
}

Prediction TrainedModel::predict(DomainRows rows, const torch::Device& device) const {
  rows.to(device);
  return adapt::predict({*features, classifier}, rows, DomainSide::target);
}

std::vector<std::byte> to_bytes(const TrainedModel& model) {
  return model_bytes(model.state(), to_json(model.description), model.step);
}

TrainedModel parse_model(std::span<const std::byte> bytes, const std::string& source) {
  return parse_model_bytes(bytes, source, [&](const std::string& description) {
    return build(parse_description(description, source), source);
  });
}

TrainedModel load_checkpoint_model(const std::filesystem::path& run,
                                   const ModelDescription& description) {
  const auto choice = run::read_newest_checkpoint(run::checkpoint_folder(run));
  if (!choice.checkpoint) throw IoError(concat(run.string(), ": there is no checkpoint yet"));
  TrainedModel model = build(description, run.string());
  model.step = choice.checkpoint->step;
  std::vector<train::NamedTensor> tensors;
  for (auto& [name, tensor] : model.state()) {
    tensors.emplace_back(kCheckpointPrefix + name, tensor);
  }
  auto share = torch::zeros({description.classifier.classes});
  tensors.emplace_back("share", share);
  train::restore(*choice.checkpoint, tensors);
  if (estimates_weights(description.method)) {
    model.description.prior = bridge::to_vector(share.clamp_min(1e-6));
  }
  return model;
}

}  // namespace nw::adapt
