// Man pages of the command, in roff.
#pragma once

#include <string>

#include "cli/describe/command_tree.hpp"

namespace nw::cli {

/// nw(1): what it is, its commands, exit codes.
[[nodiscard]] std::string man_page(const CommandTree& tree);
/// nw-COMMAND(1).
[[nodiscard]] std::string man_page(const CommandInfo& command);

}  // namespace nw::cli
