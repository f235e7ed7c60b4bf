#include "adapt/denoise_alignment.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

#include "adapt/spread_centres.hpp"

namespace nw::adapt {

nn::MixtureDraw Alignment::sample(std::int64_t, std::size_t, const Rng&) const {
  throw InvalidArgument("only the method nw learns a mixture to draw from");
}

std::unique_ptr<Alignment> make_alignment(const AlignmentParts& parts) {
  const auto method = parts.options.method;
  if (method != DenoiseMethod::nw && method != DenoiseMethod::wasserstein) return nullptr;
  return parts.options.form == DistanceForm::dual ? make_dual_alignment(parts)
                                                  : make_primal_alignment(parts);
}

std::unique_ptr<nn::MixtureGenerator> make_components(const DenoiseOptions& options,
                                                      const Rng& rng) {
  return nn::make_mixture_generator({.kind = nn::GeneratorKind::affine,
                                     .components = options.components,
                                     .latent_dim = options.network.embedding,
                                     .data_dim = options.network.embedding,
                                     .hidden = options.component_hidden},
                                    rng);
}

void place_components(nn::MixtureGenerator& components, const torch::Tensor& source,
                      const Rng& rng) {
  // Spread of a new component, in units of that of all embeddings.
  constexpr double kScale = 0.2;
  const double spread = std::max(source.std().item<double>(), 1e-6);
  components.place(spread_centres(source, components.components(), rng), kScale * spread);
}

void follow(const torch::Tensor& average, const torch::Tensor& values, double averaging,
            std::int64_t step) {
  const torch::NoGradGuard no_grad;
  const double t = static_cast<double>(step);
  const double keep = std::min(averaging, (1.0 + t) / (10.0 + t));
  torch::Tensor target = average;
  target.lerp_(values, 1.0 - keep);
}

}  // namespace nw::adapt
