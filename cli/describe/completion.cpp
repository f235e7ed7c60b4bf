#include "cli/describe/completion.hpp"

#include <sstream>

namespace nw::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Text between single quotes, with `special` characters behind a backslash.
std::string shell_quoted(const std::string& text, const std::string& special = "") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (special.find(c) != std::string::npos) {
      out += std::string("\\") + c;
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out + "'";
}

std::string option_words(const std::vector<OptionInfo>& options) {
  std::string words;
  for (const OptionInfo& option : options) {
    if (!option.positional) words += (words.empty() ? "" : " ") + joined(option.names);
  }
  return words;
}

std::string command_words(const CommandTree& tree) {
  std::string words;
  for (const CommandInfo& command : tree.commands) {
    words += (words.empty() ? "" : " ") + command.name;
  }
  return words;
}

/// What zsh's _arguments calls an option: '(-q --quiet)'{-q,--quiet}'[help]:value:action'.
std::string zsh_option(const OptionInfo& option) {
  std::string spec = option.names.size() > 1
                         ? "'(" + joined(option.names) + ")'{" + joined(option.names, ",") + "}"
                         : option.names.front();
  std::string rest = "[" + option.help + "]";
  if (!option.value.empty()) {
    rest += ":" + option.value + ":";
    rest += option.choices.empty() ? "_files" : "(" + joined(option.choices) + ")";
  }
  // Colons inside of texts would end them.
  std::string safe;
  bool inside = false;
  for (const char c : rest) {
    if (c == '[') inside = true;
    if (c == ']') inside = false;
    safe += inside && c == ':' ? std::string("\\:") : std::string(1, c);
  }
  return spec + shell_quoted(safe);
}

}  // namespace

std::string bash_completion(const CommandTree& tree) {
  std::ostringstream out;
  out << "# Completion of nw for bash; made from the command's own definitions.\n"
         "_nw() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=\n"
         "  local word options=\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in -*) ;; *) command=$word; break ;; esac\n"
         "  done\n"
         "  case \"$command $before\" in\n";
  for (const CommandInfo& command : tree.commands) {
    for (const OptionInfo& option : command.options) {
      if (option.choices.empty() || option.positional) continue;
      out << "    \"" << command.name << ' ' << option.name()
          << "\")\n      COMPREPLY=($(compgen -W \"" << joined(option.choices)
          << "\" -- \"$current\")); return ;;\n";
    }
  }
  out << "  esac\n  case $command in\n    '') options=\"" << command_words(tree) << ' '
      << option_words(tree.options) << "\"\n"
      << "      COMPREPLY=($(compgen -W \"$options\" -- \"$current\")); return ;;\n";
  for (const CommandInfo& command : tree.commands) {
    out << "    " << command.name << ") options=\"" << option_words(command.options) << "\" ;;\n";
  }
  out << "  esac\n"
         "  case $current in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _nw nw\n";
  return out.str();
}

std::string zsh_completion(const CommandTree& tree) {
  std::ostringstream out;
  out << "#compdef nw\n# Completion of nw for zsh; made from the command's own definitions.\n"
         "_nw() {\n"
         "  local -a commands\n"
         "  commands=(\n";
  for (const CommandInfo& command : tree.commands) {
    out << "    " << shell_quoted(command.name + ":" + first_line(command.help)) << '\n';
  }
  out << "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=${words[2]}\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n";
  for (const CommandInfo& command : tree.commands) {
    out << "    " << command.name << ")\n      _arguments \\\n";
    for (const OptionInfo& option : command.options) {
      if (!option.positional) out << "        " << zsh_option(option) << " \\\n";
    }
    out << "        '*:file:_files' ;;\n";
  }
  out << "  esac\n}\n_nw \"$@\"\n";
  return out.str();
}

std::string fish_completion(const CommandTree& tree) {
  std::ostringstream out;
  out << "# Completion of nw for fish; made from the command's own definitions.\n";
  for (const CommandInfo& command : tree.commands) {
    out << "complete -c nw -n __fish_use_subcommand -f -a " << command.name << " -d "
        << shell_quoted(first_line(command.help), "\\") << '\n';
  }
  for (const CommandInfo& command : tree.commands) {
    for (const OptionInfo& option : command.options) {
      if (option.positional) continue;
      out << "complete -c nw -n '__fish_seen_subcommand_from " << command.name << "'";
      for (const std::string& name : option.names) {
        out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      }
      if (!option.choices.empty()) {
        out << " -x -a '" << joined(option.choices) << "'";
      } else if (!option.value.empty()) {
        out << " -r";
      }
      out << " -d " << shell_quoted(option.help, "\\") << '\n';
    }
  }
  return out.str();
}

}  // namespace nw::cli
