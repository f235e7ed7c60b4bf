// A program run aside, for what it prints.
#pragma once

#include <string>
#include <vector>

namespace nw {

struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal when it was killed
  std::string output;  ///< standard output
};

/// Runs a program, found on the PATH unless its name has a slash, and waits for it. Its standard
/// error is ours. Throws IoError if it cannot start.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& command);

}  // namespace nw
