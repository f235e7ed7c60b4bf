// What the command line of `nw cluster` says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/measure/mixture.hpp"

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

enum class ClusterMethod { nw, kmeans, gmm, equilibrium };

/// The space that points are clustered in: their own, or that of a diffusion map. `automatic` maps
/// images and rows of many values for --method nw.
enum class Features { automatic, none, diffusion };

/// Networks and rates of --method nw: ours, or those of the paper's table.
enum class ClusterRecipe { best, paper };

/// Where networks that make images begin: at random weights, or each from the cluster that the
/// diffusion map of the images suggests. `automatic` takes the latter under --recipe best.
enum class NetworkStart { automatic, random, features };

/// Which component of networks a row belongs to: the one that makes the nearest row, as in the
/// paper, or the one that is likeliest by a classifier of images that the components made.
enum class ClusterRule { automatic, nearest, recognised };

[[nodiscard]] const char* to_string(ClusterMethod method);
[[nodiscard]] const char* to_string(Features features);
[[nodiscard]] const char* to_string(ClusterRecipe recipe);
[[nodiscard]] const char* to_string(ClusterRule rule);

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
