#include "app/adaptation/settings.hpp"

#include <charconv>
#include <functional>
#include <sstream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"

#include "app/learning/optimizer_json.hpp"

namespace nw::app {
namespace {

using adapt::AdaptOptions;

struct Setting {
  const char* name;
  std::function<void(AdaptOptions&, const std::string&)> set;
};

double number(const char* name, const std::string& text) {
  double value = 0.0;
  const char *first = text.data(), *last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  require(error == std::errc() && end == last && first != last, "--set ", name, "=", text,
          ": the value is no number");
  return value;
}

std::int64_t whole_number(const char* name, const std::string& text) {
  const double value = number(name, text);
  const auto result = static_cast<std::int64_t>(value);
  require(static_cast<double>(result) == value, "--set ", name, " needs a whole number, got ",
          text);
  return result;
}

/// "256x100": widths of hidden layers.
std::vector<std::int64_t> widths(const char* name, const std::string& text) {
  std::vector<std::int64_t> result;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) {
    result.push_back(whole_number(name, part));
  }
  require(!result.empty() && !text.ends_with('x'), "--set ", name, "=", text,
          ": expected widths such as 256x100");
  return result;
}

Setting whole(const char* name, std::int64_t AdaptOptions::*field) {
  return {name, [field, name](AdaptOptions& options, const std::string& text) {
            options.*field = whole_number(name, text);
          }};
}

Setting of_number(const char* name, std::function<void(AdaptOptions&, double)> set) {
  return {name, [name, set = std::move(set)](AdaptOptions& options, const std::string& text) {
            set(options, number(name, text));
          }};
}

Setting real(const char* name, double AdaptOptions::*field) {
  return of_number(name, [field](AdaptOptions& options, double value) { options.*field = value; });
}

Setting flag(const char* name, bool AdaptOptions::*field) {
  return of_number(name,
                   [field](AdaptOptions& options, double value) { options.*field = value != 0.0; });
}

Setting rate(const char* name, train::OptimizerOptions AdaptOptions::*field) {
  return of_number(name, [field](AdaptOptions& options, double value) {
    (options.*field).learning_rate = value;
  });
}

Setting momentum(const char* name, train::OptimizerOptions AdaptOptions::*field) {
  return of_number(
      name, [field](AdaptOptions& options, double value) { (options.*field).beta1 = value; });
}

/// Widths of the features' layers: after a network that learns on, of the new ones.
void set_feature_widths(AdaptOptions& options, const std::string& text) {
  auto& features = options.features;
  (features.kind == nn::FeatureKind::backbone ? features.head : features.hidden) =
      widths("feature-hidden", text);
  adapt::fit_to_features(options);
}

/// Throws where a setting of this name would change nothing.
void require_use(const std::string& name, const AdaptOptions& options) {
  const bool tuned = options.features.kind == nn::FeatureKind::backbone;
  require(tuned || (name != "backbone-rate" && name != "side"), "--set ", name,
          ": only a network that learns on has one (--fine-tune)");
  const bool of_new_layers = name == "feature-rate" || name == "feature-beta1" ||
                             name == "dropout" || name.ends_with("-dropout");
  require(!tuned || !options.features.head.empty() || !of_new_layers, "--set ", name,
          ": this recipe has no new layers after the network; its own rate is backbone-rate");
}

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> settings{
      whole("steps", &AdaptOptions::steps),
      whole("target-batch", &AdaptOptions::target_batch),
      whole("class-batch", &AdaptOptions::class_batch),
      whole("natural-batch", &AdaptOptions::natural_batch),
      whole("critic-steps", &AdaptOptions::critic_steps),
      whole("feature-every", &AdaptOptions::feature_every),
      whole("warm-up", &AdaptOptions::warm_up),
      whole("ramp", &AdaptOptions::ramp),
      whole("pi-hold", &AdaptOptions::pi_hold),
      whole("weight-every", &AdaptOptions::weight_every),
      whole("shift", &AdaptOptions::shift),
      real("lambda", &AdaptOptions::lambda),
      real("penalty", &AdaptOptions::penalty),
      real("clip", &AdaptOptions::clip),
      real("jitter", &AdaptOptions::jitter),
      real("relaxation", &AdaptOptions::relaxation),
      real("averaging", &AdaptOptions::averaging),
      rate("backbone-rate", &AdaptOptions::backbone_optimizer),
      rate("feature-rate", &AdaptOptions::feature_optimizer),
      rate("classifier-rate", &AdaptOptions::classifier_optimizer),
      rate("critic-rate", &AdaptOptions::critic_optimizer),
      rate("pi-rate", &AdaptOptions::pi_optimizer),
      momentum("feature-beta1", &AdaptOptions::feature_optimizer),
      momentum("critic-beta1", &AdaptOptions::critic_optimizer),
      momentum("pi-beta1", &AdaptOptions::pi_optimizer),
      flag("random-windows", &AdaptOptions::random_windows),
      flag("pi-with-features", &AdaptOptions::pi_with_features),
      flag("record-steps", &AdaptOptions::record_steps),
      {"side", [](AdaptOptions& options,
                  const std::string& text) { options.features.side = whole_number("side", text); }},
      of_number("dropout",
                [](AdaptOptions& options, double value) {
                  options.features.dropout = options.classifier.dropout = value;
                }),
      of_number("feature-dropout",
                [](AdaptOptions& options, double value) { options.features.dropout = value; }),
      of_number("classifier-dropout",
                [](AdaptOptions& options, double value) { options.classifier.dropout = value; }),
      of_number("norm",  // 0: none, 1: joint, 2: by domain
                [](AdaptOptions& options, double value) {
                  options.features.norm = value == 0.0   ? nn::FeatureNorm::none
                                          : value == 1.0 ? nn::FeatureNorm::joint
                                                         : nn::FeatureNorm::by_domain;
                }),
      of_number("unit-length", [](AdaptOptions& options,
                                  double value) { options.features.unit_length = value != 0.0; }),
      {"feature-hidden", set_feature_widths},
      {"critic-hidden", [](AdaptOptions& options, const std::string& text) {
         options.critic.hidden = widths("critic-hidden", text);
       }}};
  return settings;
}

}  // namespace

std::string setting_names() {
  std::string names;
  for (const auto& setting : all_settings())
    names += concat(names.empty() ? "" : ", ", setting.name);
  return names;
}

void apply_settings(const std::vector<std::string>& settings, AdaptOptions& options) {
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    require(equals != std::string::npos, "--set ", text, ": expected NAME=VALUE");
    const std::string name = text.substr(0, equals);
    bool known = false;
    for (const auto& setting : all_settings()) {
      if (name != setting.name) continue;
      require_use(name, options);
      setting.set(options, text.substr(equals + 1));
      known = true;
    }
    require(known, "--set ", text, ": known are ", setting_names());
  }
  options.validate();
}

Json options_json(const AdaptOptions& options) {
  Json json{{"method", to_string(options.method)},
            {"steps", options.steps},
            {"features", to_string(options.features.kind)},
            {"norm", to_string(options.features.norm)},
            {"unit_length", options.features.unit_length},
            {"dropout", options.features.dropout},
            {"classifier_dropout", options.classifier.dropout},
            {"classifier_hidden", options.classifier.hidden},
            {"critic_hidden", options.critic.hidden},
            {"target_batch", options.target_batch},
            {"class_batch", options.class_batch},
            {"natural_batch", options.natural_batch},
            {"critic_steps", options.critic_steps},
            {"feature_every", options.feature_every},
            {"lipschitz", to_string(options.lipschitz)},
            {"clip", options.clip},
            {"penalty", options.penalty},
            {"lambda", options.lambda},
            {"warm_up", options.warm_up},
            {"ramp", options.ramp},
            {"pi_hold", options.pi_hold},
            {"pi_with_features", options.pi_with_features},
            {"jitter", options.jitter},
            {"random_windows", options.random_windows},
            {"relaxation", options.relaxation},
            {"weight_every", options.weight_every},
            {"shift", options.shift},
            {"decay", to_string(options.schedule.decay)},
            {"averaging", options.averaging},
            {"feature_optimizer", optimizer_json(options.feature_optimizer)},
            {"classifier_optimizer", optimizer_json(options.classifier_optimizer)},
            {"critic_optimizer", optimizer_json(options.critic_optimizer)},
            {"pi_optimizer", optimizer_json(options.pi_optimizer)}};
  if (options.features.hidden != nn::FeatureOptions{}.hidden) {
    json["feature_hidden"] = options.features.hidden;
  }
  if (options.features.kind == nn::FeatureKind::backbone) {
    json["backbone"] = to_string(options.features.backbone.kind);
    json["side"] = options.features.side;
    json["head"] = options.features.head;
    json["backbone_optimizer"] = optimizer_json(options.backbone_optimizer);
  }
  return json;
}

}  // namespace nw::app
