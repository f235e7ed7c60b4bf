// How points are clustered.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "nw/base/option_field.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::app {

/// `evidence`: several methods compete, and the data decide. `nw`: a mixture GAN with
/// proportions it learns. `genie`: linkage of near points, with a limit to unequal sizes.
/// `automatic`: nw where an option of it is given, otherwise evidence; for images nw from 500 on,
/// both where LibTorch is available; kmeans for fewer images, for points with weights and in
/// coordinates of a walk.
enum class ClusterMethod { automatic, evidence, nw, kmeans, gmm, equilibrium, genie };

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

constexpr auto choices(ClusterMethod) {
  return std::array{
      Choice{"auto", ClusterMethod::automatic}, Choice{"evidence", ClusterMethod::evidence},
      Choice{"nw", ClusterMethod::nw},          Choice{"kmeans", ClusterMethod::kmeans},
      Choice{"gmm", ClusterMethod::gmm},        Choice{"equilibrium", ClusterMethod::equilibrium},
      Choice{"genie", ClusterMethod::genie}};
}
constexpr auto choices(Features) {
  return std::array{Choice{"auto", Features::automatic}, Choice{"none", Features::none},
                    Choice{"diffusion", Features::diffusion}};
}
constexpr auto choices(ClusterRecipe) {
  return std::array{Choice{"best", ClusterRecipe::best}, Choice{"paper", ClusterRecipe::paper}};
}
constexpr auto choices(NetworkStart) {
  return std::array{Choice{"auto", NetworkStart::automatic}, Choice{"random", NetworkStart::random},
                    Choice{"features", NetworkStart::features}};
}
constexpr auto choices(ClusterRule) {
  return std::array{Choice{"auto", ClusterRule::automatic}, Choice{"nearest", ClusterRule::nearest},
                    Choice{"recognised", ClusterRule::recognised}};
}

struct ClusteringOptions {
  std::size_t k = 0;  ///< number of clusters; 0: find it
  ClusterMethod method = ClusterMethod::automatic;
  measure::Shape shape = measure::Shape::full;  ///< of the covariances of gmm
  std::optional<int> restarts = {};             ///< the method's own by default: 10, nw 1
  Features features = Features::automatic;
  std::size_t neighbours = 10;  ///< of a point in the walk of the diffusion map
  bool noise = false;           ///< set aside points in much sparser places than the rest
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores. The result does not depend on it.

  // Method nw alone. What is not given is the recipe's.
  ClusterRecipe recipe = ClusterRecipe::best;
  NetworkStart start = NetworkStart::automatic;
  ClusterRule rule = ClusterRule::automatic;
  std::optional<std::int64_t> steps = {}, batch = {}, latent = {}, width = {};
  std::optional<double> diversity = {};  ///< lambda_reg
  std::optional<int> moves = {};         ///< 20 by default
  std::string device = "auto";

  /// Throws InvalidArgument naming the first field that is out of range.
  void validate() const;
  /// Whether something of the method nw alone is asked for: another recipe, or a field that
  /// replaces a recipe's choice.
  [[nodiscard]] bool asks_to_learn() const;

  /// The fields in the order of help texts. Those of other methods than `method` do not apply.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    const bool learns = method == ClusterMethod::nw || method == ClusterMethod::automatic;
    visit(OptionField{.name = "k", .help = "Number of clusters; 0 finds it", .setting = ""}, k);
    visit(
        OptionField{.name = "method",
                    .help =
                        "evidence: the methods compete and the data decide; nw: a mixture GAN that "
                        "learns its proportions; gmm: a mixture of Gaussians; equilibrium: k-means "
                        "whose centres repel each other; genie: linkage of nearby points; auto: "
                        "evidence, or nw for 500 images or more and where an option of nw is "
                        "given, if LibTorch is installed"},
        method);
    visit(OptionField{.name = "shape",
                      .help = "gmm: family of the covariances",
                      .applies = method == ClusterMethod::gmm},
          shape);
    visit(OptionField{.name = "restarts",
                      .help =
                          "Starts; the best by the method's own criterion wins (default 10, nw 1)",
                      .low = 1},
          restarts);
    visit(
        OptionField{
            .name = "features",
            .help =
                "Cluster the data themselves or coordinates of a walk between neighbours; auto: "
                "the walk for images and long rows under `method` nw"},
        features);
    visit(
        OptionField{.name = "neighbours", .help = "Neighbours of each point in the walk", .low = 1},
        neighbours);
    visit(OptionField{.name = "noise",
                      .help = "Set aside points that lie in much sparser places than the rest of "
                              "their cluster"},
          noise);
    visit(kSeedField, seed);
    visit(kThreadsField, threads);
    for_each_learning_field([&](OptionField field, auto& value) {
      field.applies = learns;
      visit(field, value);
    });
    OptionField where = kDeviceField;
    where.applies = learns;
    visit(where, device);
  }

  /// Those of the method nw that replace its recipe's choices.
  template <typename Visit>
  void for_each_learning_field(Visit&& visit) {
    visit(OptionField{.name = "recipe",
                      .help = "Networks and rates: ours, or those of the paper's table"},
          recipe);
    visit(OptionField{.name = "start",
                      .help = "Images without `features`: networks begin at random weights or "
                              "from clusters of features; auto: the latter under `recipe` best"},
          start);
    visit(OptionField{.name = "rule",
                      .help = "Images without `features`: an image belongs to the component that "
                              "makes the nearest one (the paper), or to the one that a classifier "
                              "of generated images names; auto: the latter under `recipe` best"},
          rule);
    visit(OptionField{.name = "steps",
                      .help = "Generator steps of each start (default: the recipe's)",
                      .low = 1},
          steps);
    visit(OptionField{.name = "batch", .help = "Rows of data in a step", .low = 1}, batch);
    visit(
        OptionField{
            .name = "latent", .help = "Length of the noise vector that components map", .low = 1},
        latent);
    visit(
        OptionField{
            .name = "width", .help = "Images: channels of the layers next to the image", .low = 1},
        width);
    visit(OptionField{.name = "diversity",
                      .help = "lambda_reg: reward for components that lie apart",
                      .low = 0},
          diversity);
    visit(OptionField{.name = "moves",
                      .help = "Affine components: largest number of moves after training that "
                              "merge two and divide another (default 20)",
                      .low = 0},
          moves);
  }
};

}  // namespace nw::app
