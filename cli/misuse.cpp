#include "cli/misuse.hpp"

#include <algorithm>
#include <map>
#include <regex>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/base/suggestion.hpp"

namespace nw::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string help_hint(const CLI::App& app) {
  std::string command = app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent())
    command = concat(parent->get_name(), " ", command);
  return "; see `" + command + " --help`";
}

}  // namespace

const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* current = &app;
  for (;;) {
    const auto chosen = current->get_subcommands();
    if (chosen.empty()) return *current;
    current = chosen.front();
  }
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* candidate) {
         return !candidate->get_group().empty();  // hidden commands have no group
       })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string explain_extra(const CLI::App& command, const std::string& extra) {
  const std::string name = extra.substr(0, extra.find('='));
  if (name.starts_with("-") && name != "-")
    return "unknown option '" + name + "'" + did_you_mean(name, option_names(command)) +
           help_hint(command);
  const auto commands = command_names(command);
  if (!commands.empty())
    return "unknown command '" + extra + "'" + did_you_mean(extra, commands) + help_hint(command);
  return "unexpected argument '" + extra + "'" + help_hint(command);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  if (const auto extras = command.remaining(); !extras.empty()) {
    // The misspelt option comes before what was meant as its value.
    const auto option = std::find_if(extras.begin(), extras.end(),
                                     [](const std::string& text) { return text.starts_with("-"); });
    return explain_extra(command, option != extras.end() ? *option : extras.front());
  }
  std::string message = error.what();
  if (message.ends_with('\n')) message.pop_back();
  return message + help_hint(command);
}

std::string in_words_of_options(const CLI::App& command, const std::string& message) {
  static const std::regex kField(R"(^\w*Options\.((?:\w+\.)*\w+))");
  static const std::map<std::string, std::string> kOtherNames = {
      {"components", "k"},
      {"order", "p"},
      {"min_effect.share", "min-effect"},
      {"min_effect.deviations", "min-move"}};
  std::smatch found;
  if (!std::regex_search(message, found, kField)) return message;
  std::string name = found[1];
  const auto other = kOtherNames.find(name);
  name = other != kOtherNames.end() ? other->second : name.substr(name.find_last_of('.') + 1);
  std::ranges::replace(name, '_', '-');
  const auto options = option_names(command);
  if (std::ranges::find(options, "--" + name) == options.end()) return message;
  return "--" + name + found.suffix().str();
}

}  // namespace nw::cli
