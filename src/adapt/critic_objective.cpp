// With m target rows and masses a_i of source rows:
//   W:        sum_t D(x) / m - sum_s a_i D(x_i)
//   logistic: sum_t log(1 - c g(x)) / m + sum_s a_i log g(x_i) with g = sigmoid(-D),
// where c = 1 is DANN (Ganin and Lempitsky 2015) and c = 1 / (2 + beta) the relaxation of Wu et al.
// 2019, which leaves features alone where the target's density is at most 1 + beta times the
// source's.
#include "adapt/critic_objective.hpp"

namespace nw::adapt {

using torch::Tensor;

CriticObjective::CriticObjective(const AdaptOptions& options)
    : logistic(is_logistic(options.method)),
      c(options.method == AdaptMethod::sdann ? 1.0 / (2.0 + options.relaxation) : 1.0) {}

Tensor CriticObjective::objective(const Tensor& values, const Tensor& mass) const {
  const std::int64_t sources = mass.size(0), targets = values.size(0) - sources;
  const auto source = values.narrow(0, 0, sources), target = values.narrow(0, sources, targets);
  if (!logistic) return target.mean() - source.dot(mass);
  const auto log_target =
      c == 1.0 ? -at::softplus(-target) : torch::log1p(-c * torch::sigmoid(-target));
  return log_target.mean() - at::softplus(source).dot(mass);
}

Tensor CriticObjective::slopes(const Tensor& values, const Tensor& mass) const {
  const std::int64_t sources = mass.size(0), targets = values.size(0) - sources;
  const double share = 1.0 / static_cast<double>(targets);
  if (!logistic) return torch::cat({-mass, torch::full({targets}, share, mass.options())});
  const auto odds = torch::sigmoid(values.narrow(0, 0, sources));
  const auto g = torch::sigmoid(-values.narrow(0, sources, targets));
  // c g (1 - g) / (1 - c g); at c = 1 the fraction cancels.
  const auto target = c == 1.0 ? g : c * g * (1.0 - g) / (1.0 - c * g);
  return torch::cat({-mass * odds, target * share});
}

}  // namespace nw::adapt
