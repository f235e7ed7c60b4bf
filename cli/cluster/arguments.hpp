// What the command line of `nw cluster` says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/measure/mixture.hpp"

#include "app/clustering/options.hpp"
#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

using app::ClusterMethod;
using app::ClusterRecipe;
using app::ClusterRule;
using app::Features;
using app::NetworkStart;

struct ClusterArguments {
  CommonOptions common;
  InputArguments inputs;
  ClusterMethod method = ClusterMethod::kmeans;
  std::string k;  ///< a number or "auto"
  measure::Shape shape = measure::Shape::full;
  std::optional<int> restarts;  ///< the method's own by default
  Features features = Features::automatic;
  std::size_t neighbours = 10;
  std::string assignments;  ///< file for the cluster of each point; empty: none
  std::string report;

  // --method nw alone. What is not given is the recipe's.
  ClusterRecipe recipe = ClusterRecipe::best;
  NetworkStart start = NetworkStart::automatic;
  ClusterRule rule = ClusterRule::automatic;
  std::optional<std::int64_t> steps, batch, latent, width;
  std::optional<double> diversity;
  std::optional<int> moves;
  std::string run;  ///< run directory; empty: none
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a run
  std::string device = "auto";
  std::string assign;  ///< new data for the clusters of `run`; empty: none
};

/// Throws IoError naming the first file of results that could not be written later.
void require_writable_results(const ClusterArguments& arguments);

/// --method nw and --assign. Part of nw-torch; nw hands over to it. Both return an ExitCode. The
/// first takes the points where they were read already.
[[nodiscard]] int run_adversarial_clustering(const ClusterArguments& arguments,
                                             std::optional<Inputs>&& read);
[[nodiscard]] int run_assign(const ClusterArguments& arguments);

}  // namespace nw::cli
