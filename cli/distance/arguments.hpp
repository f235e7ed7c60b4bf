// What `nw distance` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "nw/app/transport/transport_cost.hpp"
#include "nw/ot/wasserstein.hpp"

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

/// `nw_dual` measures W_N instead of W: it is not a method of the solver.
enum class DistanceMethod { automatic, exact, sinkhorn, sliced, nw_dual };

struct DistanceArguments {
  CommonOptions common;
  InputArguments inputs;
  DistanceMethod method = DistanceMethod::automatic;
  ot::WassersteinOptions solver;
  std::int64_t k = 0;                 ///< nw-dual: components
  std::optional<std::int64_t> steps;  ///< nw-dual: generator steps
  std::string plan, potentials;       ///< files to write; empty: none
  std::string page;                   ///< the same for a page
  std::string pairs, matrix;          ///< a folder whose files are compared with each other
  double stop_after = 0.0;            ///< seconds for the exact solver; 0: no limit
  app::CostOptions cost;              ///< of options that only other costs have
  std::string precision;
};

/// Whether an option was given that asks for other costs than those of W1 and W2.
[[nodiscard]] bool asks_for_other_cost(const CLI::App& command);

/// Throws InvalidArgument for an option that what was asked for would ignore.
void check_fit(const CLI::App& command, const DistanceArguments& arguments);

}  // namespace nw::cli
