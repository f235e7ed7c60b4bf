// What the nw command returns to the shell: a contract scripts rely on.
#pragma once

namespace nw::cli {

enum ExitCode : int {
  kDone = 0,
  kInternalError = 1,  ///< a bug of ours, or no memory left
  kMisuse = 2,         ///< unknown options, values out of range
  kBadFile = 3,        ///< an input or output that cannot be read, understood or written
  kNotConverged = 4,   ///< ran, but what it reports is not the certified answer
};

}  // namespace nw::cli
