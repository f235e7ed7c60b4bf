// Kinds of options that CLI11 does not have. Only files that add options include this: CLI11 is
// slow to compile.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace nw::cli {

/// Adds an option that takes values separated by commas in one argument, so that it never swallows
/// the inputs after it.
template <typename T>
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<T>& values,
                      const std::string& help) {
  const auto assign = [&values, name](const std::string& given) {
    values.clear();
    for (const std::string& text : CLI::detail::split(given, ',')) {
      if (!CLI::detail::lexical_cast(text, values.emplace_back()))
        throw CLI::ValidationError(name, "'" + text + "' is not a number");
    }
  };
  std::string shown;
  for (const T& value : values) shown += (shown.empty() ? "" : ",") + CLI::detail::to_string(value);
  return command.add_option_function<std::string>(name, assign, help)->default_str(shown);
}

/// Adds an option that takes one of the names in `choices`; misuse is answered with that list.
template <typename Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value,
                        const std::vector<std::pair<std::string, Enum>>& choices,
                        const std::string& help) {
  std::string names, shown;
  for (const auto& [text, choice] : choices) {
    names += (names.empty() ? "" : "|") + text;
    if (choice == value) shown = text;
  }
  const auto assign = [&value, choices, names, name](const std::string& given) {
    for (const auto& [text, choice] : choices) {
      if (text != given) continue;
      value = choice;
      return;
    }
    throw CLI::ValidationError(name, "'" + given + "' is not one of " + names);
  };
  return command.add_option_function<std::string>(name, assign, help)
      ->type_name(names)
      ->default_str(shown);
}

}  // namespace nw::cli
