// Private: where components begin.
#pragma once

#include <torch/types.h>

#include "nw/base/rng.hpp"

namespace nw::adapt {

/// Centres of `count` clusters of `rows` [n, d] on the CPU: [count, d]. Lloyd's iterations from
/// k-means++ (Arthur and Vassilvitskii 2007), the best of several starts.
[[nodiscard]] torch::Tensor spread_centres(const torch::Tensor& rows, std::int64_t count,
                                           const Rng& rng);

}  // namespace nw::adapt
