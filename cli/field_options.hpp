// Options of a command from the fields of an application's options. Only files that add options
// include this: CLI11 is slow to compile.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "nw/base/option_field.hpp"

#include "cli/option_kinds.hpp"

namespace nw::cli {

/// Adds an option for every field that is a choice, an optional number or a whole number, under the
/// name and with the help that the field has.
template <typename Options>
void add_field_options(CLI::App& command, Options& options) {
  options.for_each_field([&](const OptionField& field, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    const std::string name = "--" + setting_name(field);
    if constexpr (std::is_enum_v<Value>) {
      std::vector<std::pair<std::string, Value>> names;
      for (const auto& choice : choices(value)) names.emplace_back(choice.name, choice.value);
      add_choice<Value>(command, name, value, names, field.help);
    } else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>) {
      command.add_option(name, value, field.help)->type_name("N");
    } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
      command.add_option(name, value, field.help)->type_name("X");
    } else if constexpr (std::is_same_v<Value, std::int64_t>) {
      command.add_option(name, value, field.help)->type_name("N")->capture_default_str();
    }
  });
}

/// The help of one field.
template <typename Options>
[[nodiscard]] std::string help_of(Options& options, const std::string& name) {
  std::string help;
  options.for_each_field([&](const OptionField& field, const auto&) {
    if (name == field.name) help = field.help;
  });
  return help;
}

}  // namespace nw::cli
