// Private: how far a classifier confuses classes, by its own answers.
#pragma once

#include <torch/types.h>

namespace nw::adapt {

/// Minimum class confusion (Jin, Wang, Long and Wang 2020): logits [n, k] of unlabelled rows are
/// softened by a temperature of 2.5 and rows weighted by 1 + exp(-entropy); of each class's row of
/// the matrix of products of posteriors, brought to sum 1, the share of other classes, averaged
/// over classes. In [0, 1]; differentiable.
[[nodiscard]] torch::Tensor class_confusion(const torch::Tensor& log_odds);

}  // namespace nw::adapt
