// Private: dropout with random numbers that the caller provides.
#pragma once

#include <functional>

#include <torch/types.h>

namespace nw::nn {

/// Zeroes entries of `a` with probability `share` and scales the others up. `mask_sizes` must
/// broadcast to the sizes of `a`: [n, c, 1, 1] drops whole channels.
inline torch::Tensor dropped(const torch::Tensor& a, double share, at::IntArrayRef mask_sizes,
                             const std::function<torch::Tensor(at::IntArrayRef)>& uniform) {
  if (share == 0.0 || !uniform) return a;
  const auto kept = uniform(mask_sizes).ge(share).to(a.scalar_type());
  return a * (kept / (1.0 - share));
}

}  // namespace nw::nn
