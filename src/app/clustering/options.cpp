#include "app/clustering/options.hpp"

namespace nw::app {

const char* to_string(ClusterMethod method) {
  switch (method) {
    case ClusterMethod::nw:
      return "nw";
    case ClusterMethod::kmeans:
      return "kmeans";
    case ClusterMethod::gmm:
      return "gmm";
    case ClusterMethod::equilibrium:
      return "equilibrium";
  }
  return "unknown";
}

const char* to_string(ClusterRule rule) {
  switch (rule) {
    case ClusterRule::automatic:
      return "auto";
    case ClusterRule::nearest:
      return "nearest";
    case ClusterRule::recognised:
      return "recognised";
  }
  return "unknown";
}

const char* to_string(ClusterRecipe recipe) {
  return recipe == ClusterRecipe::best ? "best" : "paper";
}

const char* to_string(Features features) {
  switch (features) {
    case Features::automatic:
      return "auto";
    case Features::none:
      return "none";
    case Features::diffusion:
      return "diffusion";
  }
  return "unknown";
}

}  // namespace nw::app
