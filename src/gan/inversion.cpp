// Affine components x = z A + b: with r = x - b the minimum of |r - z A|^2 + t |z|^2 is
// |r|^2 - (r A') (A A' + t)^-1 (r A')', by the normal equations.
//
// Networks: Adam on z for all rows, starts and a component at once, from what an encoder guesses
// and from the nearest of many random images; the best point of each path counts.
#include "nw/gan/inversion.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"

#include "gan/latent_encoder.hpp"
#include "train/team_rows.hpp"

namespace nw::gan {
namespace {

using torch::Tensor;

Tensor affine_energies(const nn::AffineMaps& maps, const Tensor& rows, double price) {
  const torch::NoGradGuard no_grad;
  const auto to_double = [](const Tensor& t) { return t.to(torch::kCPU, torch::kFloat64); };
  const Tensor matrix = to_double(maps.matrix), offset = to_double(maps.offset);
  const Tensor x = to_double(rows);
  std::vector<Tensor> energies;
  for (std::int64_t j = 0; j < matrix.size(0); ++j) {
    const Tensor a = matrix[j], r = x - offset[j];
    const Tensor gram = at::mm(a, a.t()) + price * torch::eye(a.size(0), a.options());
    const Tensor projected = at::mm(r, a.t());
    const Tensor z = at::mm(projected, at::linalg_inv(gram));
    energies.push_back((r.square().sum(1) - (z * projected).sum(1)).clamp_min(0.0));
  }
  return torch::stack(energies, 1);
}

/// |x - G_j(z)|^2 + price |z|^2 by rows: [n].
Tensor energy(const nn::MixtureGenerator& generator, std::int64_t j, const Tensor& x,
              const Tensor& z, double price) {
  const Tensor made = generator.forward(z.unsqueeze(0), j, nn::Mode::sampling).squeeze(0);
  return (x - made).square().sum(1) + price * z.square().sum(1);
}

/// For every row the `starts` random latents whose images lie nearest: [n * starts, latent].
Tensor nearest_latents(const Tensor& x, const Tensor& latents, const Tensor& images,
                       std::int64_t starts) {
  const Tensor distance = images.square().sum(1).unsqueeze(0) - 2.0 * at::mm(x, images.t());
  const Tensor nearest = std::get<1>(distance.topk(starts, /*dim=*/1, /*largest=*/false)).flatten();
  return latents.index_select(0, nearest);
}

Tensor searched(const nn::MixtureGenerator& generator, std::int64_t j, const Tensor& x, Tensor z,
                const InversionOptions& options) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.99, kSmall = 1e-8;
  Tensor first = torch::zeros_like(z), second = torch::zeros_like(z);
  Tensor best = torch::full({x.size(0)}, INFINITY, x.options());
  for (std::int64_t step = 0; step <= options.iterations; ++step) {
    Tensor value, gradient;
    {
      const torch::AutoGradMode with_grad(true);
      const Tensor leaf = z.detach().requires_grad_(true);
      value = energy(generator, j, x, leaf, options.price);
      if (step < options.iterations) {
        gradient = torch::autograd::grad({value.sum()}, {leaf})[0];
      }
    }
    const torch::NoGradGuard no_grad;
    best = torch::minimum(best, value.detach());
    if (step == options.iterations) break;
    const double t = static_cast<double>(step + 1);
    first = kBeta1 * first + (1.0 - kBeta1) * gradient;
    second = kBeta2 * second + (1.0 - kBeta2) * gradient.square();
    const double left = 1.0 - static_cast<double>(step) / static_cast<double>(options.iterations);
    const double scale = options.rate * (0.05 + 0.95 * left) *
                         std::sqrt(1.0 - std::pow(kBeta2, t)) / (1.0 - std::pow(kBeta1, t));
    z = z - scale * first / (second.sqrt() + kSmall);
  }
  return best;
}

Tensor network_energies(const nn::MixtureGenerator& generator, const Tensor& rows,
                        const InversionOptions& options, const Rng& rng) {
  const Tensor& parameters = generator.parameters().flat();
  const std::int64_t k = generator.components(), latent = generator.options().latent_dim;
  // Few rows are inverted sooner than an encoder learns.
  const bool encode = options.encoder_steps > 0 && rows.size(0) >= options.encoder_steps;
  const std::int64_t guesses = encode ? 1 : 0;
  const std::int64_t drawn =
      std::clamp<std::int64_t>(options.starts - guesses, 0, options.candidates);
  const std::int64_t starts = drawn + guesses;
  const std::int64_t block = std::max<std::int64_t>(1, options.rows_at_once / starts);
  Tensor result = torch::empty({rows.size(0), k}, torch::kFloat64);
  for (std::int64_t j = 0; j < k; ++j) {
    const Tensor latents =
        nn::normal_tensor(rng.split(static_cast<std::uint64_t>(j)), {options.candidates, latent})
            .to(parameters.device());
    Tensor images;
    {
      const torch::NoGradGuard no_grad;
      images = generator.forward(latents.unsqueeze(0), j, nn::Mode::sampling).squeeze(0);
    }
    std::optional<LatentEncoder> encoder;
    if (encode) {
      encoder.emplace(generator, j, options.encoder_steps,
                      rng.split(static_cast<std::uint64_t>(k + j)));
    }
    for (std::int64_t begin = 0; begin < rows.size(0); begin += block) {
      const std::int64_t count = std::min(block, rows.size(0) - begin);
      const Tensor x = rows.narrow(0, begin, count).to(parameters.device());
      std::vector<Tensor> first;
      if (drawn > 0) {
        first.push_back(nearest_latents(x, latents, images, drawn).view({count, drawn, latent}));
      }
      if (encoder) first.push_back(encoder->guess(x).unsqueeze(1));
      const Tensor z = torch::cat(first, 1).view({count * starts, latent});
      const Tensor best = searched(generator, j, x.repeat_interleave(starts, 0), z, options);
      result.narrow(0, begin, count)
          .select(1, j)
          .copy_(std::get<0>(best.view({count, starts}).min(1)));
    }
  }
  return result;
}

}  // namespace

void InversionOptions::validate() const {
  const auto positive = [](auto value, const char* field) {
    require(value > 0, "InversionOptions.", field, " must be positive, got ", value);
  };
  positive(price, "price");
  positive(starts, "starts");
  positive(candidates, "candidates");
  positive(iterations, "iterations");
  positive(rate, "rate");
  positive(rows_at_once, "rows_at_once");
  require(encoder_steps >= 0, "InversionOptions.encoder_steps must not be negative, got ",
          encoder_steps);
}

Tensor inversion_energies(const nn::MixtureGenerator& generator, const Tensor& rows,
                          const InversionOptions& options, const Rng& rng) {
  options.validate();
  require(rows.dim() == 2 && rows.size(1) == generator.options().data_dim,
          "inversion_energies: rows must have ", generator.options().data_dim, " values");
  if (const auto maps = generator.affine_maps()) return affine_energies(*maps, rows, options.price);
  if (options.team == nullptr) return network_energies(generator, rows, options, rng);
  const train::Part part(options.team, rows.size(0));
  const Tensor own = network_energies(generator, part.of(rows), options, rng);
  const Tensor all = train::placed(own, part, {rows.size(0), own.size(1)});
  options.team->sum(std::span(all.data_ptr<double>(), static_cast<std::size_t>(all.numel())));
  return all;
}

Tensor with_shares(const Tensor& energies, const std::vector<double>& pi, double price) {
  constexpr double kLeastShare = 1e-12;
  require(energies.dim() == 2 && energies.size(1) == static_cast<std::int64_t>(pi.size()),
          "with_shares: energies of ", energies.size(-1), " components, ", pi.size(), " shares");
  const torch::NoGradGuard no_grad;
  const Tensor shares = torch::tensor(pi, torch::kFloat64).clamp_min(kLeastShare);
  return energies.to(torch::kCPU, torch::kFloat64) - 2.0 * price * shares.log();
}

Assignment assign(const Tensor& energies, double temperature) {
  const torch::NoGradGuard no_grad;
  const Tensor e = energies.to(torch::kCPU, torch::kFloat64).contiguous();
  Assignment result;
  const auto [least, index] = e.min(1);
  result.temperature = temperature > 0.0 ? temperature : least.mean().item<double>();
  // Rows that all lie on their components leave no doubt.
  const double t = std::max(result.temperature, 1e-300);
  result.membership = at::softmax(-(e - least.unsqueeze(1)) / (2.0 * t), 1);
  const Tensor sure = result.membership.gather(1, index.unsqueeze(1)).squeeze(1).contiguous();
  const std::int64_t* chosen = index.data_ptr<std::int64_t>();
  result.component_of.assign(chosen, chosen + index.numel());
  result.confidence.assign(sure.data_ptr<double>(), sure.data_ptr<double>() + sure.numel());
  return result;
}

}  // namespace nw::gan
