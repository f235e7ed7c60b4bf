#include "cli/describe/man_page.hpp"

#include <algorithm>
#include <sstream>

#include "nw/base/version.hpp"

namespace nw::cli {
namespace {

/// Text as roff shows it: dashes that can be copied, nothing taken for a request.
std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

void head(std::ostream& out, const std::string& name, const std::string& help) {
  out << ".TH " << upper(name) << " 1 \"\" \"nw " << version() << "\" \"nw manual\"\n"
      << ".SH NAME\n"
      << roff(name) << " \\- " << roff(first_line(help)) << '\n';
}

void show_option(std::ostream& out, const OptionInfo& option) {
  out << ".TP\n";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    out << (i == 0 ? "" : ", ") << "\\fB" << roff(option.names[i]) << "\\fR";
  }
  if (!option.positional && !option.value.empty()) out << " \\fI" << roff(option.value) << "\\fR";
  out << '\n' << roff(option.help);
  if (!option.standard.empty() && !option.value.empty()) {
    out << " (default: " << roff(option.standard) << ')';
  }
  out << '\n';
}

void show_options(std::ostream& out, const std::vector<OptionInfo>& options) {
  std::vector<std::string> groups;
  for (const OptionInfo& option : options) {
    const std::string group = option.positional ? "Arguments" : option.group;
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  for (const std::string& group : groups) {
    out << (group == "Arguments" ? ".SH ARGUMENTS\n"
            : group == "Options" ? ".SH OPTIONS\n"
                                 : ".SH " + upper(roff(group)) + "\n");
    for (const OptionInfo& option : options) {
      if ((option.positional ? "Arguments" : option.group) == group) show_option(out, option);
    }
  }
}

void show_text(std::ostream& out, const char* title, const std::string& text) {
  if (!text.empty()) out << ".SH " << title << "\n.nf\n" << roff(text) << "\n.fi\n";
}

}  // namespace

std::string man_page(const CommandTree& tree) {
  std::ostringstream out;
  head(out, "nw", "the Normalized Wasserstein measure");
  out << ".SH SYNOPSIS\n.B nw\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
      << ".SH DESCRIPTION\n"
      << roff(tree.about) << "\n.SH COMMANDS\n";
  for (const CommandInfo& command : tree.commands) {
    out << ".TP\n\\fB" << roff(command.name) << "\\fR\n" << roff(command.help) << '\n';
  }
  show_options(out, tree.options);
  show_text(out, "EXIT STATUS", tree.footer);
  out << ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < tree.commands.size(); ++i) {
    out << ".BR nw\\-" << roff(tree.commands[i].name) << " (1)"
        << (i + 1 < tree.commands.size() ? ",\n" : "\n");
  }
  return out.str();
}

std::string man_page(const CommandInfo& command) {
  std::ostringstream out;
  head(out, "nw-" + command.name, command.help);
  out << ".SH SYNOPSIS\n.B nw " << roff(command.name) << '\n';
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    const std::string name = "\\fI" + roff(option.name()) + "\\fR";
    out << (option.required ? name : "[" + name + "]") << '\n';
  }
  out << "[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" << roff(command.help) << '\n';
  show_options(out, command.options);
  show_text(out, "NOTES", command.footer);
  out << ".SH SEE ALSO\n.BR nw (1)\n";
  return out.str();
}

}  // namespace nw::cli
