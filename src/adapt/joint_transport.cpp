// Damodaran, Kellenberger, Flamary, Tuia and Courty 2018, "DeepJDOT", equations 5 to 7: with the
// optimal plan T between the rows of a step under the costs
//   c_ij = alpha |f(x_i) - f(x_j)|^2 + L(y_i, C(f(x_j))),
// f and C descend sum T_ij c_ij with T fixed, which by the envelope theorem is the gradient of the
// distance itself.
//
// Where we differ on purpose: plans are exact (network simplex on the s x t costs of a step, O(s t)
// memory); masses of the source may be anything, pi among them, whose derivative is the mean
// potential of a class [NW:dpi].
#include "adapt/joint_transport.hpp"

#include <vector>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/ot/exact.hpp"

namespace nw::adapt {

using torch::Tensor;

Tensor joint_cost(const JointRows& rows, double alpha) {
  const auto square = rows.source.square().sum(1).unsqueeze(1) +
                      rows.target.square().sum(1).unsqueeze(0) -
                      at::matmul(rows.source, rows.target.t()) * 2.0;
  const auto entropy = -at::log_softmax(rows.log_odds, 1).index_select(1, rows.class_of).t();
  return square * alpha + entropy;
}

JointPlan joint_plan(const Tensor& cost, const Tensor& mass) {
  require(cost.dim() == 2 && mass.dim() == 1 && cost.size(0) == mass.size(0),
          "joint_plan: costs need a row for each mass");
  const Matrix values = bridge::to_matrix(cost.detach());
  const auto weights = bridge::to_vector(mass);
  // One thread: a step's problem is small, and the plan is the same anyway.
  const auto solved =
      ot::solve_exact(ot::MatrixProblem{.cost = values, .source_weights = weights}, {.threads = 1});
  Matrix plan(values.rows(), values.cols());
  for (const auto& flow : solved.plan) plan(flow.source, flow.target) += flow.mass;
  return {.plan = bridge::to_tensor(plan).to(cost.device()),
          .potential = torch::tensor(solved.source_potential, torch::kFloat64).to(cost.options())};
}

}  // namespace nw::adapt
