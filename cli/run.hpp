// The nw command as a function.
#pragma once

#include <string>
#include <vector>

namespace nw::cli {

/// Parses the arguments (without the program's name), runs the chosen subcommand and returns its
/// ExitCode. Every exception ends here, as one line on standard error.
int run(const std::vector<std::string>& arguments);

}  // namespace nw::cli
