// Private: one factory per kind of critic; options are valid already.
#pragma once

#include <memory>

#include "nw/nn/critic.hpp"

namespace nw::nn {

[[nodiscard]] std::unique_ptr<Critic> make_mlp_critic(const CriticOptions& options, const Rng& rng);
[[nodiscard]] std::unique_ptr<Critic> make_convolutional_critic(const CriticOptions& options,
                                                                const Rng& rng);
[[nodiscard]] std::unique_ptr<Critic> make_residual_critic(const CriticOptions& options,
                                                           const Rng& rng);

}  // namespace nw::nn
