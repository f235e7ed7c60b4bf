// Mixtures of affine components between the core library and the networks that train them.
#pragma once

#include <vector>

#include "nw/cluster/split_merge.hpp"
#include "nw/gan/normalisation.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/train/game.hpp"

namespace nw::app {

/// Whether components are affine maps with as much noise as there are coordinates, which is what
/// Gaussians are.
[[nodiscard]] bool all_of_space(const nn::MixtureGeneratorOptions& options);

/// The components of such a generator in the space of the data.
[[nodiscard]] cluster::WeightedMixture affine_mixture(const nn::MixtureGenerator& generator,
                                                      const std::vector<double>& pi,
                                                      const gan::Normalisation& normalisation);

/// Moves components and proportions of `game` to those given in the space of the data.
void begin_at(const train::Game& game, const cluster::WeightedMixture& start,
              const gan::Normalisation& normalisation);

}  // namespace nw::app
