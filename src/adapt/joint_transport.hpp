// Private: optimal plans between the rows of both domains, by features and classes together.
#pragma once

#include <torch/types.h>

namespace nw::adapt {

/// What DeepJDOT couples: rows of the source with their classes and masses, rows of the target with
/// what the classifier says about them.
struct JointRows {
  torch::Tensor source;    ///< [s, d] features
  torch::Tensor class_of;  ///< [s], classes of these
  torch::Tensor mass;      ///< [s], sums to one
  torch::Tensor target;    ///< [t, d] features
  torch::Tensor log_odds;  ///< [t, k] of the target's rows
};

/// alpha |f_i - f_j|^2 - log p(y_i | target row j): [s, t]; differentiable.
[[nodiscard]] torch::Tensor joint_cost(const JointRows& rows, double alpha);

struct JointPlan {
  torch::Tensor plan;       ///< [s, t] masses, without gradients, on the device of the costs
  torch::Tensor potential;  ///< [s] of the source's rows: the derivative of W in their masses
};

/// The optimal plan for such costs from masses [s] to equal masses of the target's rows.
[[nodiscard]] JointPlan joint_plan(const torch::Tensor& cost, const torch::Tensor& mass);

}  // namespace nw::adapt
