// Scripts that let shells complete commands, options and choices.
#pragma once

#include <string>

#include "cli/describe/command_tree.hpp"

namespace nw::cli {

[[nodiscard]] std::string bash_completion(const CommandTree& tree);
[[nodiscard]] std::string zsh_completion(const CommandTree& tree);
[[nodiscard]] std::string fish_completion(const CommandTree& tree);

}  // namespace nw::cli
