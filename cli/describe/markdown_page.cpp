#include "cli/describe/markdown_page.hpp"

#include <algorithm>
#include <sstream>

namespace nw::cli {
namespace {

/// Text inside a table: a bar would end its cell, a line its row.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') {
      out += "&#124;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

void show_option(std::ostream& out, const OptionInfo& option) {
  out << "| ";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    out << (i == 0 ? "<code>" : "<br><code>") << cell(option.names[i]);
    if (i + 1 == option.names.size() && !option.positional && !option.value.empty()) {
      out << ' ' << cell(option.value);
    }
    out << "</code>";
  }
  const bool shows_default = !option.standard.empty() && !option.value.empty();
  out << " | " << cell(option.help) << " | "
      << (shows_default ? "<code>" + cell(option.standard) + "</code>" : "") << " |\n";
}

void show_options(std::ostream& out, const std::vector<OptionInfo>& options) {
  std::vector<std::string> groups;
  const auto group_of = [](const OptionInfo& option) {
    return option.positional ? std::string("Arguments") : option.group;
  };
  for (const OptionInfo& option : options) {
    if (std::ranges::find(groups, group_of(option)) == groups.end()) {
      groups.push_back(group_of(option));
    }
  }
  for (const std::string& group : groups) {
    out << "\n## " << group << "\n\n| name | meaning | default |\n| --- | --- | --- |\n";
    for (const OptionInfo& option : options) {
      if (group_of(option) == group) show_option(out, option);
    }
  }
}

void show_text(std::ostream& out, const std::string& text) {
  if (!text.empty()) out << "\n```text\n" << text << "\n```\n";
}

}  // namespace

std::string markdown_page(const CommandTree& tree) {
  std::ostringstream out;
  out << "# Commands\n\n" << tree.about << "\n\n| command | what it does |\n| --- | --- |\n";
  for (const CommandInfo& command : tree.commands) {
    out << "| [nw " << command.name << "](nw-" << command.name << ".md) | " << cell(command.help)
        << " |\n";
  }
  show_options(out, tree.options);
  show_text(out, tree.footer);
  return out.str();
}

std::string markdown_page(const CommandInfo& command) {
  std::ostringstream out;
  out << "# nw " << command.name << "\n\n" << command.help << "\n\n```text\nnw " << command.name;
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    out << (option.required ? " " + option.name() : " [" + option.name() + "]");
  }
  out << " [OPTIONS]\n```\n";
  show_options(out, command.options);
  show_text(out, command.footer);
  return out.str();
}

}  // namespace nw::cli
