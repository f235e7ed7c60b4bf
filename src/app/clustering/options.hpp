// The choices that `nw cluster` and its callers have.
#pragma once

namespace nw::app {

enum class ClusterMethod { nw, kmeans, gmm, equilibrium };

/// The space that points are clustered in: their own, or that of a diffusion map. `automatic` maps
/// images and rows of many values for the method nw.
enum class Features { automatic, none, diffusion };

/// Networks and rates of the method nw: ours, or those of the paper's table.
enum class ClusterRecipe { best, paper };

/// Where networks that make images begin: at random weights, or each from the cluster that the
/// diffusion map of the images suggests. `automatic` takes the latter under the recipe best.
enum class NetworkStart { automatic, random, features };

/// Which component of networks a row belongs to: the one that makes the nearest row, as in the
/// paper, or the one that is likeliest by a classifier of images that the components made.
enum class ClusterRule { automatic, nearest, recognised };

[[nodiscard]] const char* to_string(ClusterMethod method);
[[nodiscard]] const char* to_string(Features features);
[[nodiscard]] const char* to_string(ClusterRecipe recipe);
[[nodiscard]] const char* to_string(ClusterRule rule);

}  // namespace nw::app
