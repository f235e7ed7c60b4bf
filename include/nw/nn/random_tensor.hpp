// Random tensors from nw::Rng: the same numbers for a seed at every thread count, on every machine.
#pragma once

#include <torch/types.h>

#include "nw/base/rng.hpp"

namespace nw::nn {

/// Standard normal values, float32 on the CPU. Blocks of the tensor come from streams split off
/// `rng`, whose own state does not move: draw again with the same generator and get the same.
[[nodiscard]] torch::Tensor normal_tensor(const Rng& rng, at::IntArrayRef sizes);

/// As normal_tensor, uniform in [low, high).
[[nodiscard]] torch::Tensor uniform_tensor(const Rng& rng, at::IntArrayRef sizes, double low = 0.0,
                                           double high = 1.0);

/// `count` independent indices below `bound`, int64 on the CPU.
[[nodiscard]] torch::Tensor index_tensor(const Rng& rng, std::int64_t count, std::int64_t bound);

}  // namespace nw::nn
