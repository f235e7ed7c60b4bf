#include "train/team_gradient.hpp"

namespace nw::train {
namespace {

using torch::Tensor;

/// The rows [begin, begin + count) of `rows` that fall to this process.
struct Part {
  std::int64_t begin, count;
  Part(const Team& team, std::int64_t rows)
      : begin(rows * team.rank() / team.size()),
        count(rows * (team.rank() + 1) / team.size() - begin) {}

  [[nodiscard]] Tensor of(const Tensor& tensor) const { return tensor.narrow(0, begin, count); }
};

/// `part` at its place among zeros, so that the sum over the team is the whole.
Tensor placed(const Tensor& part, const Part& at, at::IntArrayRef whole) {
  Tensor tensor = torch::zeros(whole, part.options());
  at.of(tensor).copy_(part);
  return tensor;
}

/// Sums each tensor over the team in one call; they keep their shapes and devices.
void sum_over(Team& team, const std::vector<Tensor*>& tensors) {
  std::vector<Tensor> flat;
  for (const Tensor* tensor : tensors) flat.push_back(tensor->detach().flatten());
  const Tensor host = torch::cat(flat).to(torch::kCPU, torch::kFloat32).contiguous();
  team.sum(std::span(host.data_ptr<float>(), static_cast<std::size_t>(host.numel())));
  std::int64_t begin = 0;
  for (Tensor* tensor : tensors) {
    *tensor = host.narrow(0, begin, tensor->numel()).view(tensor->sizes()).to(tensor->device());
    begin += tensor->numel();
  }
}

}  // namespace

nn::ParameterGradient parameter_gradient(Team* team, const nn::Critic& critic,
                                         const nn::WeightedBatch& batch,
                                         const std::optional<nn::PenaltyBatch>& penalty) {
  if (team == nullptr) return critic.parameter_gradient(batch, penalty);
  const std::int64_t rows = batch.points.size(0);
  const Part part(*team, rows);
  std::optional<nn::PenaltyBatch> own;
  if (penalty) {
    const std::int64_t all = penalty->points.size(0);
    const Part mine(*team, all);
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
  sum_over(*team, sums);
  return result;
}

nn::PointGradient point_gradient(Team* team, const nn::Critic& critic,
                                 const nn::WeightedBatch& batch) {
  if (team == nullptr) return critic.point_gradient(batch);
  const std::int64_t rows = batch.points.size(0);
  const Part part(*team, rows);
  nn::PointGradient result =
      critic.point_gradient({.points = part.of(batch.points), .weights = part.of(batch.weights)});
  result.values = placed(result.values, part, {rows});
  result.gradient = placed(result.gradient, part, batch.points.sizes());
  sum_over(*team, {&result.values, &result.gradient});
  return result;
}

}  // namespace nw::train
