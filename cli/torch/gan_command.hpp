// The work behind `nw gan`, `nw compare --dual` and `nw distance --method nw-dual`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/gan/gan_options.hpp"

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

struct GanArguments {
  CommonOptions common;
  InputArguments inputs;
  std::string command = "gan";
  gan::GanMethod method = gan::GanMethod::nwgan;
  gan::Recipe recipe = gan::Recipe::best;
  std::int64_t k = 0;
  bool fixed_pi = false;
  // What replaces the recipe's choice where it is given.
  std::optional<std::int64_t> steps, batch, critic_steps, latent, width;
  std::optional<train::Lipschitz> lipschitz;
  std::optional<double> diversity, rate;
  std::string run;  ///< run directory; empty: none
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a run
  std::string device = "auto";
  std::string samples;  ///< file for as many rows as the data have; empty: none
  std::string report;
};

/// Trains, reports and writes. Returns an ExitCode.
[[nodiscard]] int run_gan(const GanArguments& arguments);

}  // namespace nw::cli
