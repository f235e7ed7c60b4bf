// Private: how far the components of a batch lie apart, for the regulariser R [NW:reg].
#pragma once

#include <vector>

#include <torch/types.h>

#include "nw/train/draws.hpp"

namespace nw::train {

/// Sliced W1 between every two components: [k, k], differentiable in `points` [n, d], whose rows
/// are sorted by component. Scaled so that components that are shifted copies are as far apart as
/// their W1. R asks for W itself, which would need a critic for each of the k (k - 1) / 2 pairs.
[[nodiscard]] torch::Tensor sliced_distances(const torch::Tensor& points,
                                             const std::vector<std::int64_t>& counts, Draws& draws);

}  // namespace nw::train
