// The manual as Markdown, for the documentation's site.
#pragma once

#include <string>

#include "cli/describe/command_tree.hpp"

namespace nw::cli {

/// A page for each command, and one that lists them.
[[nodiscard]] std::string markdown_page(const CommandTree& tree);
[[nodiscard]] std::string markdown_page(const CommandInfo& command);

}  // namespace nw::cli
