#include "app/adaptation/settings.hpp"

#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_fields.hpp"
#include "nw/app/adaptation/adaptation.hpp"
#include "nw/base/error.hpp"

#include "app/learning/option_values.hpp"

namespace nw::app {
namespace {

using adapt::AdaptOptions;

constexpr std::string_view kOptimizer = "_optimizer";

/// Calls visit(name, member of the optimiser) for what users can replace of it.
template <typename Optimizer, typename Visit>
void each_of_optimizer(const OptionField& field, Optimizer& optimizer, Visit&& visit) {
  std::string stem = field.name;
  stem.resize(stem.size() - kOptimizer.size());
  visit(stem + "-rate", optimizer.learning_rate);
  visit(stem + "-beta1", optimizer.beta1);
}

void set(const std::string& name, const std::string& text, std::int64_t& value) {
  value = whole_setting(name, text);
}
void set(const std::string& name, const std::string& text, double& value) {
  value = number_setting(name, text);
}
void set(const std::string& name, const std::string& text, bool& value) {
  value = number_setting(name, text) != 0.0;
}
void set(const std::string& name, const std::string& text, std::vector<std::int64_t>& value) {
  value = widths_setting(name, text);
}
void set(const std::string& name, const std::string& text, nn::FeatureNorm& value) {
  const double number = number_setting(name, text);
  value = number == 0.0   ? nn::FeatureNorm::none
          : number == 1.0 ? nn::FeatureNorm::joint
                          : nn::FeatureNorm::by_domain;
}

/// Throws where a setting of this name would change nothing.
void require_use(const std::string& name, const AdaptOptions& options) {
  const bool tuned = options.features.kind == nn::FeatureKind::backbone;
  require(tuned || (name != "backbone-rate" && name != "backbone-beta1" && name != "side"),
          "setting ", name, ": only a network that is fine-tuned has one");
  const bool of_new_layers = name == "feature-rate" || name == "feature-beta1" ||
                             name == "dropout" || name.ends_with("-dropout");
  require(!tuned || !options.features.head.empty() || !of_new_layers, "setting ", name,
          ": this recipe has no new layers after the network; its own rate is backbone-rate");
}

/// Whether there is such a setting.
bool apply(const std::string& name, const std::string& text, AdaptOptions& options) {
  if (name == "dropout") {  // both at once
    return apply("feature-dropout", text, options) && apply("classifier-dropout", text, options);
  }
  bool known = false;
  options.for_each_field([&](const OptionField& field, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, train::OptimizerOptions>) {
      each_of_optimizer(field, value, [&](const std::string& own, double& part) {
        if (own != name) return;
        set(name, text, part);
        known = true;
      });
    } else if constexpr (requires { set(name, text, value); }) {
      if (setting_name(field) != name) return;
      set(name, text, value);
      known = true;
    }
  });
  if (name == "feature-hidden") adapt::fit_to_features(options);
  return known;
}

std::string known_names() {
  std::string names;
  for (const auto& setting : adaptation_settings()) {
    names += concat(names.empty() ? "" : ", ", setting.name);
  }
  return names;
}

}  // namespace

std::vector<RecipeSetting> adaptation_settings() {
  std::vector<RecipeSetting> settings;
  AdaptOptions{}.for_each_field([&](const OptionField& field, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, train::OptimizerOptions>) {
      each_of_optimizer(field, value, [&](const std::string& name, double&) {
        settings.push_back({name, concat(field.help, name.ends_with("rate") ? ": learning rate"
                                                                            : ": beta1 of Adam")});
      });
    } else if (const auto name = setting_name(field); !name.empty()) {
      settings.push_back({name, field.help});
      if (name == "classifier-dropout") {
        settings.push_back({"dropout", "Both shares that training drops"});
      }
    }
  });
  return settings;
}

void apply_settings(const std::vector<std::string>& settings, AdaptOptions& options) {
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    require(equals != std::string::npos, "setting ", text, ": expected NAME=VALUE");
    const std::string name = text.substr(0, equals);
    require_use(name, options);
    require(apply(name, text.substr(equals + 1), options), "setting ", text, ": known are ",
            known_names());
  }
  options.validate();
}

Json options_json(const AdaptOptions& options) {
  return fields_json(options);
}

}  // namespace nw::app
