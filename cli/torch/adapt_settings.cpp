#include "cli/torch/adapt_settings.hpp"

#include <charconv>
#include <functional>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"

namespace nw::cli {
namespace {

using adapt::AdaptOptions;

struct Setting {
  const char* name;
  std::function<void(AdaptOptions&, double)> set;
};

Setting whole(const char* name, std::int64_t AdaptOptions::*field) {
  return {name, [field, name](AdaptOptions& options, double value) {
            options.*field = static_cast<std::int64_t>(value);
            require(static_cast<double>(options.*field) == value, "--set ", name,
                    " needs a whole number, got ", value);
          }};
}

Setting real(const char* name, double AdaptOptions::*field) {
  return {name, [field](AdaptOptions& options, double value) { options.*field = value; }};
}

Setting rate(const char* name, train::OptimizerOptions AdaptOptions::*field) {
  return {name,
          [field](AdaptOptions& options, double value) { (options.*field).learning_rate = value; }};
}

Setting momentum(const char* name, train::OptimizerOptions AdaptOptions::*field) {
  return {name, [field](AdaptOptions& options, double value) { (options.*field).beta1 = value; }};
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
      rate("feature-rate", &AdaptOptions::feature_optimizer),
      rate("classifier-rate", &AdaptOptions::classifier_optimizer),
      rate("critic-rate", &AdaptOptions::critic_optimizer),
      rate("pi-rate", &AdaptOptions::pi_optimizer),
      momentum("feature-beta1", &AdaptOptions::feature_optimizer),
      momentum("critic-beta1", &AdaptOptions::critic_optimizer),
      momentum("pi-beta1", &AdaptOptions::pi_optimizer),
      {"dropout",
       [](AdaptOptions& options, double value) {
         options.features.dropout = options.classifier.dropout = value;
       }},
      {"norm",  // 0: none, 1: joint, 2: by domain
       [](AdaptOptions& options, double value) {
         options.features.norm = value == 0.0   ? nn::FeatureNorm::none
                                 : value == 1.0 ? nn::FeatureNorm::joint
                                                : nn::FeatureNorm::by_domain;
       }},
      {"random-windows",
       [](AdaptOptions& options, double value) { options.random_windows = value != 0.0; }},
      {"record-steps",
       [](AdaptOptions& options, double value) { options.record_steps = value != 0.0; }},
      {"unit-length",
       [](AdaptOptions& options, double value) { options.features.unit_length = value != 0.0; }}};
  return settings;
}

Json optimizer_json(const train::OptimizerOptions& o) {
  return {{"kind", to_string(o.kind)},
          {"rate", o.learning_rate},
          {"beta1", o.beta1},
          {"beta2", o.beta2}};
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
    double value = 0.0;
    const char *first = text.data() + equals + 1, *last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, value);
    require(error == std::errc() && end == last && first != last, "--set ", text,
            ": the value is no number");
    bool known = false;
    for (const auto& setting : all_settings()) {
      if (name != setting.name) continue;
      setting.set(options, value);
      known = true;
    }
    require(known, "--set ", text, ": known are ", setting_names());
  }
  options.validate();
}

Json options_json(const AdaptOptions& options) {
  return {{"method", to_string(options.method)},
          {"steps", options.steps},
          {"features", to_string(options.features.kind)},
          {"norm", to_string(options.features.norm)},
          {"dropout", options.features.dropout},
          {"classifier_dropout", options.classifier.dropout},
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
}

}  // namespace nw::cli
