// Private: values of option fields as JSON, and from the texts that users give.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "nw/base/option_field.hpp"
#include "nw/train/optimizer.hpp"

#include "app/learning/optimizer_json.hpp"
#include "io/json_value.hpp"

namespace nw::app {

template <typename T>
[[nodiscard]] Json option_json(const T& value) {
  if constexpr (std::is_same_v<T, train::OptimizerOptions>) {
    return optimizer_json(value);
  } else if constexpr (std::is_enum_v<T>) {
    return to_string(value);
  } else {
    return value;
  }
}

/// The fields that decide the numbers of a run, in their order.
template <typename Options>
[[nodiscard]] Json fields_json(Options options) {
  Json json = Json::object();
  options.for_each_field([&](const OptionField& field, const auto& value) {
    if (field.applies && field.decides) json[field.name] = option_json(value);
  });
  return json;
}

/// Values from the text behind a setting's name. They throw InvalidArgument naming both.
[[nodiscard]] double number_setting(const std::string& name, const std::string& text);
[[nodiscard]] std::int64_t whole_setting(const std::string& name, const std::string& text);
/// "256x100": widths of layers.
[[nodiscard]] std::vector<std::int64_t> widths_setting(const std::string& name,
                                                       const std::string& text);

}  // namespace nw::app
