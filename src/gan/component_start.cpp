#include "nw/gan/component_start.hpp"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"
#include "nw/train/optimizer.hpp"

namespace nw::gan {
namespace {

using torch::Tensor;

/// x = mean + z map.
struct AffineTarget {
  Tensor mean, map;  // [1, d], [latent, d]
};

AffineTarget affine_target(const Tensor& rows, std::int64_t latent, const Rng& rng) {
  const std::int64_t count = std::min({latent, rows.size(0) - 1, rows.size(1)});
  const auto found = principal_components(rows, count, rng);
  Tensor map = torch::zeros({latent, rows.size(1)}, rows.options());
  map.narrow(0, 0, count).copy_((found.directions * found.deviation).t());
  return {.mean = found.mean.unsqueeze(0), .map = map};
}

}  // namespace

Tensor PrincipalComponents::project(const Tensor& rows) const {
  return at::mm(rows - mean, directions);
}

PrincipalComponents principal_components(const Tensor& rows, std::int64_t count, const Rng& rng) {
  constexpr std::int64_t kSurplus = 10;
  constexpr int kRounds = 6;
  require(rows.dim() == 2 && count > 0 && count <= std::min(rows.size(0), rows.size(1)),
          "principal_components: ", count, " of rows that have fewer");
  const torch::NoGradGuard no_grad;
  PrincipalComponents result{.mean = rows.mean(0), .directions = {}, .deviation = {}};
  const Tensor centred = rows - result.mean;
  const std::int64_t width = std::min({count + kSurplus, rows.size(0), rows.size(1)});
  Tensor basis = nn::normal_tensor(rng, {rows.size(1), width}).to(rows.device());
  for (int round = 0; round < kRounds; ++round) {
    basis = std::get<0>(at::linalg_qr(at::mm(centred.t(), at::mm(centred, basis))));
  }
  const Tensor seen = at::mm(centred, basis).to(torch::kFloat64);
  const double degrees = static_cast<double>(std::max<std::int64_t>(1, rows.size(0) - 1));
  // Small, and LAPACK's answer does not depend on the device.
  const auto [variance, rotation] =
      at::linalg_eigh((at::mm(seen.t(), seen) / degrees).to(torch::kCPU));
  const auto falling = [&](const Tensor& t) {
    return t.flip({-1}).narrow(-1, 0, count).to(rows.device(), rows.scalar_type());
  };
  result.directions = at::mm(basis, falling(rotation));
  result.deviation = falling(variance.clamp_min(0.0).sqrt());
  return result;
}

void ComponentStartOptions::validate() const {
  require(steps > 0, "ComponentStartOptions.steps must be positive, got ", steps);
  require(batch > 0, "ComponentStartOptions.batch must be positive, got ", batch);
  require(rate > 0.0, "ComponentStartOptions.rate must be positive, got ", rate);
}

double start_at_clusters(nn::MixtureGenerator& generator, const ClusteredRows& clusters,
                         const ComponentStartOptions& options, const Rng& rng) {
  options.validate();
  const auto& [rows, cluster_of] = clusters;
  require(rows.size(0) == static_cast<std::int64_t>(cluster_of.size()),
          "start_at_clusters: ", cluster_of.size(), " clusters for ", rows.size(0), " rows");
  const auto device = generator.parameters().flat().device();
  const std::int64_t k = generator.components(), latent = generator.options().latent_dim;
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < cluster_of.size(); ++i) {
    require(cluster_of[i] < members.size(), "start_at_clusters: cluster ", cluster_of[i], " of ", k,
            " components");
    members[cluster_of[i]].push_back(static_cast<std::int64_t>(i));
  }
  std::vector<Tensor> means, maps;
  for (std::size_t j = 0; j < members.size(); ++j) {
    require(members[j].size() >= 2, "start_at_clusters: cluster ", j + 1, " has ",
            members[j].size(), " rows");
    const auto own = rows.index_select(0, torch::tensor(members[j]).to(rows.device())).to(device);
    const auto target = affine_target(own, latent, rng.split(j));
    means.push_back(target.mean);
    maps.push_back(target.map);
  }
  const Tensor mean = torch::stack(means), map = torch::stack(maps);  // [k, 1, d], [k, latent, d]
  train::Optimizer optimizer(
      {.kind = train::OptimizerKind::adam, .learning_rate = options.rate, .beta1 = 0.5},
      generator.parameters().count(), device);
  const Rng stream = rng.split(members.size());
  Tensor loss;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    const torch::AutoGradMode with_grad(true);
    const Tensor z = nn::normal_tensor(stream.split(static_cast<std::uint64_t>(step)),
                                       {k, options.batch, latent})
                         .to(device);
    const Tensor target = at::baddbmm(mean, z, map).clamp(-1.0, 1.0);
    loss = (generator.forward(z, 0, nn::Mode::training) - target).square().mean();
    const auto gradients = torch::autograd::grad({loss}, generator.parameters().leaves(), {},
                                                 /*retain_graph=*/false, /*create_graph=*/false,
                                                 /*allow_unused=*/true);
    optimizer.step(generator.parameters().flat(), generator.parameters().flatten(gradients));
  }
  return loss.item<double>();
}

}  // namespace nw::gan
