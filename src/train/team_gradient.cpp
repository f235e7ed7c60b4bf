#include "train/team_gradient.hpp"

#include "train/team_rows.hpp"

namespace nw::train {

using torch::Tensor;

nn::ParameterGradient parameter_gradient(Team* team, const nn::Critic& critic,
                                         const nn::WeightedBatch& batch,
                                         const std::optional<nn::PenaltyBatch>& penalty) {
  if (team == nullptr) return critic.parameter_gradient(batch, penalty);
  const std::int64_t rows = batch.points.size(0);
  const Part part(team, rows);
  std::optional<nn::PenaltyBatch> own;
  if (penalty) {
    const std::int64_t all = penalty->points.size(0);
    const Part mine(team, all);
    // A mean over all rows is the sum of the parts' means by their shares.
    const double share = static_cast<double>(mine.count) / static_cast<double>(all);
    if (mine.count > 0) {
      own = {.points = mine.of(penalty->points), .coefficient = penalty->coefficient * share};
    }
  }
  nn::ParameterGradient result = critic.parameter_gradient(
      {.points = part.of(batch.points), .weights = part.of(batch.weights)}, own);
  result.values = placed(result.values, part, {rows});
  std::vector<Tensor*> sums{&result.gradient, &result.values};
  if (penalty) {
    if (!result.penalty.defined()) result.penalty = torch::zeros({}, batch.points.options());
    sums.push_back(&result.penalty);
  }
  sum_over(team, sums);
  return result;
}

nn::PointGradient point_gradient(Team* team, const nn::Critic& critic,
                                 const nn::WeightedBatch& batch) {
  if (team == nullptr) return critic.point_gradient(batch);
  const std::int64_t rows = batch.points.size(0);
  const Part part(team, rows);
  nn::PointGradient result =
      critic.point_gradient({.points = part.of(batch.points), .weights = part.of(batch.weights)});
  result.values = placed(result.values, part, {rows});
  result.gradient = placed(result.gradient, part, batch.points.sizes());
  sum_over(team, {&result.values, &result.gradient});
  return result;
}

}  // namespace nw::train
