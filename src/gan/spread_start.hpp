// Private: components that begin at rows of the data.
#pragma once

#include <torch/types.h>

#include "nw/base/rng.hpp"

namespace nw::gan {

/// `count` rows of `rows` [n, d] far apart from each other: [count, d]. Greedy k-means++ (Arthur
/// and Vassilvitskii 2007, section 2.2).
[[nodiscard]] torch::Tensor spread_rows(const torch::Tensor& rows, std::int64_t count,
                                        const Rng& rng);

}  // namespace nw::gan
