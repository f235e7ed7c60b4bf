// Private: what the critic ascends and features descend, as a function of the critic's values.
#pragma once

#include <torch/types.h>

#include "nw/adapt/adapt_options.hpp"

namespace nw::adapt {

/// Values are those of source rows, then target rows: [s + t]. `mass` [s] sums to one.
struct CriticObjective {
  bool logistic = false;
  double c = 1.0;  ///< logistic: 1 / (2 + beta), or 1 for DANN

  explicit CriticObjective(const AdaptOptions& options);

  [[nodiscard]] torch::Tensor objective(const torch::Tensor& values,
                                        const torch::Tensor& mass) const;
  /// The derivative of the objective in each value: [s + t].
  [[nodiscard]] torch::Tensor slopes(const torch::Tensor& values, const torch::Tensor& mass) const;
};

}  // namespace nw::adapt
