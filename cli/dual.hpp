// `nw compare --dual` and `nw distance --method nw-dual`: W_N by Algorithm 1 of the paper instead
// of the primal fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

struct DualArguments {
  CommonOptions common;
  InputArguments inputs;
  std::string command;  ///< who asks: compare or distance
  std::int64_t k = 0;
  std::optional<std::int64_t> steps;  ///< generator steps; the recipe's by default
  std::string report;
};

/// Returns an ExitCode. Part of nw-torch; nw hands over to it.
[[nodiscard]] int run_dual(const DualArguments& arguments);

}  // namespace nw::cli
