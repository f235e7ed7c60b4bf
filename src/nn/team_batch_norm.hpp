// Private: batch norm over rows that the processes of a team share.
#pragma once

#include <torch/types.h>

#include "nw/base/team.hpp"

namespace nw::nn {

/// Batch norm in training of rows [n, channels, ...], of which every process has its own: moments
/// are those of all rows, and so are the gradients. `mean` and `variance` follow them as those of
/// at::batch_norm do. All processes must have a row at least.
[[nodiscard]] torch::Tensor team_batch_norm(Team& team, const torch::Tensor& rows,
                                            const torch::Tensor& scale, const torch::Tensor& shift,
                                            torch::Tensor mean, torch::Tensor variance,
                                            double momentum, double epsilon);

}  // namespace nw::nn
