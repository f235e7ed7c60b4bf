// The work behind `nw adapt`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/adapt_options.hpp"

#include "cli/common_options.hpp"
#include "cli/torch/adapt_inputs.hpp"

namespace nw::cli {

struct AdaptArguments {
  CommonOptions common;
  PointOptions points;
  LabelledInput source, target;
  std::string fine_tune;  ///< weights of a backbone that learns on; empty: none
  adapt::AdaptMethod method = adapt::AdaptMethod::nw;
  adapt::Recipe recipe = adapt::Recipe::best;
  std::optional<std::int64_t> steps;
  std::vector<std::string> settings;  ///< "name=value"
  std::string run;                    ///< run directory; empty: none
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a run
  std::string device = "auto";
  std::string predictions;  ///< CSV file; empty: none
  std::string report;
};

/// Trains, reports and writes. Returns an ExitCode.
[[nodiscard]] int run_adapt(const AdaptArguments& arguments);

}  // namespace nw::cli
