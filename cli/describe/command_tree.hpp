// The commands and options of nw as data, read from the parser: what man pages and completions are
// made of, so that they cannot disagree with what the command accepts.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nw::cli {

struct OptionInfo {
  std::vector<std::string> names;  ///< with dashes, the short one first; one bare name: positional
  std::string value;               ///< "N", "FILE|-"; empty for a flag
  std::vector<std::string> choices;  ///< when the value is one of a few words
  std::string help;
  std::string standard;  ///< the default; empty when there is none to show
  std::string group;
  bool positional = false, required = false;

  /// The name people use: the long one where there is one.
  [[nodiscard]] const std::string& name() const { return names.back(); }
};

struct CommandInfo {
  std::string name, help, footer;
  std::vector<OptionInfo> options;  ///< positionals first, in their order
};

struct CommandTree {
  std::string about, footer;
  std::vector<OptionInfo> options;  ///< of nw itself
  std::vector<CommandInfo> commands;
};

/// Everything that is not hidden.
[[nodiscard]] CommandTree read_command_tree(const CLI::App& app);

/// The first line of a text, without a full stop at its end.
[[nodiscard]] std::string first_line(const std::string& text);

}  // namespace nw::cli
