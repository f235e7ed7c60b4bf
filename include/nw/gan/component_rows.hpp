// Samples of one component of a mixture.
#pragma once

#include <cstdint>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/mixture_generator.hpp"

namespace nw::gan {

/// `count` rows of G_j alone: [count, data_dim] on the CPU, in network space.
[[nodiscard]] torch::Tensor component_rows(const nn::MixtureGenerator& generator, std::int64_t j,
                                           std::int64_t count, const Rng& rng);

}  // namespace nw::gan
