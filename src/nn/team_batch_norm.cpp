// Ioffe and Szegedy 2015 with the sums of a batch taken over all processes. With u = 1 / sqrt(var +
// eps), y = scale (x - mean) u + shift and N rows in all,
//   dL/dx = scale u (dL/dy - sum(dL/dy) / N - (x - mean) u sum(dL/dy (x - mean) u) / N),
// where both sums are the gradients of shift and scale. Passes over the rows are LibTorch's own, in
// which moments are constants; what follows corrects for that.
#include "nn/team_batch_norm.hpp"

#include <span>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace nw::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

void sum_over(Team& team, const Tensor& host) {
  team.sum(std::span(host.data_ptr<double>(), static_cast<std::size_t>(host.numel())));
}

struct Moments {
  Tensor mean, variance;  ///< biased: [channels]
  double count = 0.0;     ///< of values in each channel
};

/// Moments of all processes' rows from those of each (Chan, Golub and LeVeque 1983), by one sum.
Moments moments_of(Team& team, const Tensor& rows) {
  const std::int64_t channels = rows.size(1);
  const auto [mean, variance] = at::batch_norm_update_stats(rows, {}, {}, /*momentum=*/0.0);
  Tensor all = torch::zeros({team.size(), 2 * channels + 1}, torch::kFloat64);
  const Tensor mine = all.select(0, team.rank());
  mine.narrow(0, 0, channels).copy_(mean);
  mine.narrow(0, channels, channels).copy_(variance);
  mine.narrow(0, 2 * channels, 1).fill_(static_cast<double>(rows.numel() / channels));
  sum_over(team, all);
  const Tensor counts = all.narrow(1, 2 * channels, 1), means = all.narrow(1, 0, channels);
  const double count = counts.sum().item<double>();
  const Tensor centre = (means * counts).sum(0) / count;
  const Tensor squares = (all.narrow(1, channels, channels) + (means - centre).square()) * counts;
  const auto as_rows = rows.options().requires_grad(false);
  return {
      .mean = centre.to(as_rows), .variance = (squares.sum(0) / count).to(as_rows), .count = count};
}

struct TeamBatchNorm : torch::autograd::Function<TeamBatchNorm> {
  static Tensor forward(AutogradContext* context, const Tensor& rows, const Tensor& scale,
                        const Tensor& shift, const Tensor& mean, const Tensor& variance,
                        double count, double epsilon, Team* team) {
    context->save_for_backward({rows, scale, mean, variance});
    context->saved_data["count"] = count;
    context->saved_data["epsilon"] = epsilon;
    context->saved_data["team"] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(team));
    return std::get<0>(at::native_batch_norm(rows, scale, shift, mean, variance,
                                             /*training=*/false, /*momentum=*/0.0, epsilon));
  }

  static variable_list backward(AutogradContext* context, variable_list above) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &scale = saved[1], &mean = saved[2], &variance = saved[3];
    const double count = context->saved_data["count"].toDouble();
    const double epsilon = context->saved_data["epsilon"].toDouble();
    auto* team =
        reinterpret_cast<Team*>(static_cast<std::intptr_t>(context->saved_data["team"].toInt()));
    auto [of_rows, of_scale, of_shift] =
        at::native_batch_norm_backward(above[0].contiguous(), rows, scale, mean, variance, {}, {},
                                       /*train=*/false, epsilon, {true, true, true});
    const Tensor sums = torch::stack({of_scale, of_shift}).to(torch::kCPU, torch::kFloat64);
    sum_over(*team, sums);
    const Tensor means = (sums / count).to(rows.options().requires_grad(false));
    const Tensor u = (variance + epsilon).rsqrt();
    const Tensor along = scale * u.square() * means[0];
    const Tensor level = scale * u * means[1] - mean * along;
    std::vector<std::int64_t> by_channel(static_cast<std::size_t>(rows.dim()), 1);
    by_channel[1] = -1;
    of_rows.addcmul_(rows, along.view(by_channel), -1.0).sub_(level.view(by_channel));
    return {of_rows, of_scale, of_shift, {}, {}, {}, {}, {}};
  }
};

}  // namespace

Tensor team_batch_norm(Team& team, const Tensor& rows, const Tensor& scale, const Tensor& shift,
                       Tensor mean, Tensor variance, double momentum, double epsilon) {
  Moments moments;
  {
    const torch::NoGradGuard no_grad;
    moments = moments_of(team, rows.detach());
    mean.lerp_(moments.mean, momentum);
    variance.lerp_(moments.variance * (moments.count / (moments.count - 1.0)), momentum);
  }
  return TeamBatchNorm::apply(rows, scale, shift, moments.mean, moments.variance, moments.count,
                              epsilon, &team);
}

}  // namespace nw::nn
