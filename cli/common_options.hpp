// The options every subcommand has, and what they decide about output.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/record/run_record.hpp"

namespace nw::cli {

/// Keeps the order in which fields are written.
using Json = nlohmann::ordered_json;

struct CommonOptions {
  /// Where the result goes as one JSON object: a file, "-" for standard output, or nowhere.
  std::string json;
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0 means all cores
  bool quiet = false;

  /// Text for people goes to standard output unless the JSON does.
  [[nodiscard]] bool human_output() const { return json != "-"; }
  [[nodiscard]] bool show_progress() const { return !quiet; }
};

/// Adds --json, --seed, --threads and --quiet to a subcommand.
void add_common_options(CLI::App& command, CommonOptions& options);

/// Starts the JSON of a command whose result is no run record.
[[nodiscard]] Json start_result(const std::string& command, const CommonOptions& options);

/// Writes the result where --json says, if anywhere. A file appears complete or not at all.
void write_result(const CommonOptions& options, const Json& result);
void write_result(const CommonOptions& options, const record::RunRecord& result);

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
