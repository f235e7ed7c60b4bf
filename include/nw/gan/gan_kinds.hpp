// Kinds of mixture GANs, by name. No LibTorch here: options of applications use them.
#pragma once

#include <array>

#include "nw/base/option_field.hpp"

namespace nw::gan {

/// `nwgan`: k components and their proportions [NW:nwgan]. `wgan`: one network. `mgan`: k
/// components in equal proportions with a classifier that tells them apart (Hoang et al. 2018).
enum class GanMethod { nwgan, wgan, mgan };

/// `paper`: networks, rates and batches of the paper's tables. `best`: what we found to work best.
enum class Recipe { best, paper };

/// Where components begin: at random weights, or each at a row of the data, chosen far apart by
/// k-means++.
enum class Start { random, spread };

constexpr auto choices(GanMethod) {
  return std::array{Choice{"nwgan", GanMethod::nwgan}, Choice{"wgan", GanMethod::wgan},
                    Choice{"mgan", GanMethod::mgan}};
}
constexpr auto choices(Recipe) {
  return std::array{Choice{"best", Recipe::best}, Choice{"paper", Recipe::paper}};
}

[[nodiscard]] const char* to_string(GanMethod method);
[[nodiscard]] const char* to_string(Recipe recipe);
[[nodiscard]] const char* to_string(Start start);

}  // namespace nw::gan
