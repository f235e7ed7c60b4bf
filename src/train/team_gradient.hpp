// Private: the gradients of a critic when the processes of a team share each batch.
#pragma once

#include <optional>

#include "nw/base/team.hpp"
#include "nw/nn/critic.hpp"

namespace nw::train {

/// What the critic's own functions of these names return, each process having looked at its part of
/// the rows alone. Every process has the whole batch; equal up to the rounding of sums. Without a
/// team, the critic's own.
[[nodiscard]] nn::ParameterGradient parameter_gradient(
    Team* team, const nn::Critic& critic, const nn::WeightedBatch& batch,
    const std::optional<nn::PenaltyBatch>& penalty);
[[nodiscard]] nn::PointGradient point_gradient(Team* team, const nn::Critic& critic,
                                               const nn::WeightedBatch& batch);

}  // namespace nw::train
