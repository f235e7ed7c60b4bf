#include "cli/describe/command_tree.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace nw::cli {
namespace {

/// "auto|exact" are words to choose from; "FILE|-" and "N" say what kind of value is meant.
std::vector<std::string> choices_in(const std::string& value) {
  if (value.find('|') == std::string::npos) return {};
  std::vector<std::string> words = CLI::detail::split(value, '|');
  const auto is_word = [](const std::string& word) {
    return !word.empty() && word != "-" && std::ranges::none_of(word, [](unsigned char c) {
      return std::isupper(c) != 0 || std::isspace(c) != 0;
    });
  };
  return std::ranges::all_of(words, is_word) ? words : std::vector<std::string>{};
}

OptionInfo read_option(const CLI::Option& option) {
  OptionInfo info;
  info.positional = option.get_positional();
  info.required = option.get_required();
  if (info.positional) {
    info.names = {option.get_name(true, false)};
  } else {
    for (const auto& name : option.get_snames()) info.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) info.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) info.value = option.get_type_name();
  info.choices = choices_in(info.value);
  info.help = option.get_description();
  info.standard = option.get_default_str();
  info.group = option.get_group();
  return info;
}

std::vector<OptionInfo> read_options(const CLI::App& app) {
  std::vector<OptionInfo> found;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    if (!option->get_positional() && option->get_lnames().empty() && option->get_snames().empty())
      continue;
    found.push_back(read_option(*option));
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const OptionInfo& option) { return option.positional; });
  return found;
}

}  // namespace

CommandTree read_command_tree(const CLI::App& app) {
  CommandTree tree{app.get_description(), app.get_footer(), read_options(app), {}};
  for (const CLI::App* command : app.get_subcommands(
           [](const CLI::App* candidate) { return !candidate->get_group().empty(); })) {
    tree.commands.push_back({command->get_name(), command->get_description(), command->get_footer(),
                             read_options(*command)});
  }
  return tree;
}

std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) line.pop_back();
  return line;
}

}  // namespace nw::cli
