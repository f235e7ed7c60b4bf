#include "app/clustering/adversarial/affine_mixture.hpp"

#include <numeric>

#include "nw/base/error.hpp"
#include "nw/train/mixture_game.hpp"

namespace nw::app {

bool all_of_space(const nn::MixtureGeneratorOptions& options) {
  return options.kind == nn::GeneratorKind::affine && options.hidden.empty() &&
         options.latent_dim == options.data_dim;
}

cluster::WeightedMixture affine_mixture(const nn::MixtureGenerator& generator,
                                        const std::vector<double>& pi,
                                        const gan::Normalisation& normalisation) {
  const torch::NoGradGuard no_grad;
  const auto maps = generator.affine_maps();
  require(maps.has_value(), "affine_mixture: the components are networks");
  const auto to_double = [](const torch::Tensor& t) {
    return t.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  };
  // Rows are z A + b, components centre + factor z.
  const auto matrix = to_double(maps->matrix), offset = to_double(maps->offset);
  const auto d = matrix.size(2);
  const auto a = matrix.accessor<double, 3>();
  const auto b = offset.view({matrix.size(0), d}).contiguous();
  const auto shift = b.accessor<double, 2>();
  cluster::WeightedMixture result{.mixture = {}, .pi = pi};
  // Single precision left a sum that is only nearly one.
  const double total = std::accumulate(pi.begin(), pi.end(), 0.0);
  for (double& p : result.pi) p /= total;
  for (std::int64_t j = 0; j < matrix.size(0); ++j) {
    measure::Component component;
    component.centre.resize(static_cast<std::size_t>(d));
    component.factor = Matrix(static_cast<std::size_t>(d), static_cast<std::size_t>(d));
    for (std::int64_t c = 0; c < d; ++c) {
      const auto column = static_cast<std::size_t>(c);
      component.centre[column] = normalisation.shift[column] + normalisation.scale * shift[j][c];
      for (std::int64_t l = 0; l < d; ++l) {
        component.factor(column, static_cast<std::size_t>(l)) = normalisation.scale * a[j][l][c];
      }
    }
    result.mixture.components.push_back(std::move(component));
  }
  return result;
}

void begin_at(const train::Game& game, const cluster::WeightedMixture& start,
              const gan::Normalisation& normalisation) {
  const torch::NoGradGuard no_grad;
  const auto& mixture = dynamic_cast<const train::MixtureGame&>(game);
  const auto k = static_cast<std::int64_t>(start.mixture.size());
  const auto d = static_cast<std::int64_t>(start.mixture.dim());
  auto matrix = torch::empty({k, d, d}), offset = torch::empty({k, 1, d});
  for (std::int64_t j = 0; j < k; ++j) {
    const auto& [centre, factor, samples] = start.mixture.components[static_cast<std::size_t>(j)];
    for (std::int64_t c = 0; c < d; ++c) {
      const auto column = static_cast<std::size_t>(c);
      offset[j][0][c] = (centre[column] - normalisation.shift[column]) / normalisation.scale;
      for (std::int64_t l = 0; l < d; ++l) {
        matrix[j][l][c] = factor(column, static_cast<std::size_t>(l)) / normalisation.scale;
      }
    }
  }
  for (const auto* generator : {&mixture.generator(), &mixture.sampler()}) {
    generator->parameters()[0].detach().copy_(matrix);
    generator->parameters()[1].detach().copy_(offset);
  }
  mixture.set_logits(0, torch::tensor(start.pi, torch::kFloat32).clamp_min(1e-4).log());
}

}  // namespace nw::app
