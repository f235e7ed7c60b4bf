// `nw distance --pairs FOLDER`: the distances between every two data sets of a folder.
#pragma once

#include <string>

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

struct PairsArguments {
  CommonOptions common;
  InputArguments inputs;  ///< how each file is read; X and Y are not looked at
  std::string folder;
  int p = 1;
  std::string matrix;  ///< file to write; empty: none
};

/// Returns an ExitCode.
[[nodiscard]] int run_pairs(const PairsArguments& arguments);

}  // namespace nw::cli
