// Options of a command from the fields of an application's options. Only files that add options
// include this: CLI11 is slow to compile.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "nw/base/option_field.hpp"

#include "cli/option_kinds.hpp"
#include "cli/option_names.hpp"

namespace nw::cli {

/// Adds an option for a field, under the name and with the help that it has: a flag for a bool, a
/// choice for an enumeration. Left out are fields that users have no name for, and text. Returns
/// null for those.
template <typename Value>
CLI::Option* add_field_option(CLI::App& command, const OptionField& field, Value& value) {
  const std::string setting = setting_name(field);
  if (setting.empty()) return nullptr;
  const std::string name = "--" + setting, help = with_option_names(field.help);
  if constexpr (std::is_enum_v<Value>) {
    std::vector<std::pair<std::string, Value>> names;
    for (const auto& choice : choices(value)) names.emplace_back(choice.name, choice.value);
    return add_choice<Value>(command, name, value, names, help);
  } else if constexpr (std::is_same_v<Value, bool>) {
    return command.add_flag(name, value, help);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    if constexpr (std::is_integral_v<Value>) {
      constexpr double kFew = 4;  // whole numbers that --help can list
      if (field.high - field.low < kFew) {
        std::vector<std::pair<std::string, Value>> names;
        for (auto n = static_cast<Value>(field.low); n <= static_cast<Value>(field.high); ++n) {
          names.emplace_back(std::to_string(n), n);
        }
        return add_choice<Value>(command, name, value, names, help);
      }
    }
    return command.add_option(name, value, help)
        ->type_name(std::is_integral_v<Value> ? "N" : "X")
        ->capture_default_str();
  } else if constexpr (requires {
                         typename Value::value_type;
                         value.has_value();
                       }) {
    using Inner = typename Value::value_type;
    if constexpr (std::is_enum_v<Inner>) {
      std::string names;
      for (const auto& choice : choices(Inner{})) {
        names += (names.empty() ? "" : "|") + std::string(choice.name);
      }
      return command
          .add_option_function<std::string>(
              name,
              [&value, name, names](const std::string& text) {
                for (const auto& choice : choices(Inner{})) {
                  if (text == choice.name) value = choice.value;
                }
                if (!value) {
                  throw CLI::ValidationError(name, "'" + text + "' is not one of " + names);
                }
              },
              help)
          ->type_name(names);
    } else {
      return command.add_option(name, value, help)
          ->type_name(std::is_integral_v<Inner> ? "N" : "X");
    }
  } else {
    return nullptr;
  }
}

/// Adds an option for every field that has a name for users.
template <typename Options>
void add_field_options(CLI::App& command, Options& options) {
  options.for_each_field(
      [&](const OptionField& field, auto& value) { add_field_option(command, field, value); });
}

/// The help of one field.
template <typename Options>
[[nodiscard]] std::string help_of(Options& options, const std::string& name) {
  std::string help;
  options.for_each_field([&](const OptionField& field, const auto&) {
    if (name == field.name) help = with_option_names(field.help);
  });
  return help;
}

}  // namespace nw::cli
