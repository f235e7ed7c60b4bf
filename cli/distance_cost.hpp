// `nw distance --cost`: transport under other distances than the Euclidean one.
#pragma once

#include <string>

#include "nw/app/transport/transport_cost.hpp"

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

struct CostArguments {
  CommonOptions common;
  InputArguments inputs;
  app::CostOptions cost;
  std::string precision;         ///< file; empty: none
  std::string plan, potentials;  ///< files to write; empty: none
  double stop_after = 0.0;       ///< seconds; 0: no limit
};

/// Returns an ExitCode.
[[nodiscard]] int run_cost(CostArguments& arguments);

}  // namespace nw::cli
