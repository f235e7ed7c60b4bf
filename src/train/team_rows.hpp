// Private: rows of a batch that the processes of a team share.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "nw/base/team.hpp"

namespace nw::train {

/// The rows [begin, begin + count) of `rows` that fall to this process; all of them without a team.
struct Part {
  std::int64_t begin, count;
  Part(const Team* team, std::int64_t rows);

  [[nodiscard]] torch::Tensor of(const torch::Tensor& tensor) const {
    return tensor.narrow(0, begin, count);
  }
};

/// `part` at its place among zeros, so that the sum over the team is the whole.
[[nodiscard]] torch::Tensor placed(const torch::Tensor& part, const Part& at,
                                   at::IntArrayRef whole);

/// Sums each tensor over the team in one call; they keep their shapes and devices. Nothing happens
/// without a team.
void sum_over(Team* team, const std::vector<torch::Tensor*>& tensors);

}  // namespace nw::train
