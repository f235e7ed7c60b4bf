// Private: one factory per kind of generator; options are valid already.
#pragma once

#include <memory>

#include "nw/nn/mixture_generator.hpp"

namespace nw::nn {

using GeneratorPtr = std::unique_ptr<MixtureGenerator>;

[[nodiscard]] GeneratorPtr make_affine_generator(const MixtureGeneratorOptions& options,
                                                 const Rng& rng);
[[nodiscard]] GeneratorPtr make_mlp_generator(const MixtureGeneratorOptions& options,
                                              const Rng& rng);
[[nodiscard]] GeneratorPtr make_deconvolutional_generator(const MixtureGeneratorOptions& options,
                                                          const Rng& rng);
[[nodiscard]] GeneratorPtr make_residual_generator(const MixtureGeneratorOptions& options,
                                                   const Rng& rng);

}  // namespace nw::nn
