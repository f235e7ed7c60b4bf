// What to say about a command line that nothing can be done with.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace nw::cli {

/// The subcommands given on the command line, the innermost last.
[[nodiscard]] const CLI::App& innermost(const CLI::App& app);

/// Those that are not hidden.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& app);

/// An argument nothing expected: what was probably meant.
[[nodiscard]] std::string explain_extra(const CLI::App& command, const std::string& extra);

/// What the parser complains about, and where to find help.
[[nodiscard]] std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// The library names fields of its options; people know the option that sets the field.
[[nodiscard]] std::string in_words_of_options(const CLI::App& command, const std::string& message);

}  // namespace nw::cli
