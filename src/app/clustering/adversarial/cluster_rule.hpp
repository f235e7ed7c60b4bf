// The rules by which rows find their clusters among the components of a learnt mixture.
#pragma once

#include <vector>

#include "nw/app/clustering/options.hpp"
#include "nw/gan/inversion.hpp"

namespace nw::app {

struct RuleTask {
  const nn::MixtureGenerator& generator;
  const std::vector<double>& pi;  ///< of its components
  const torch::Tensor& rows;      ///< in network space
  ClusterRule rule = ClusterRule::nearest;
  gan::InversionOptions inversion = {};
  /// `nearest`: energy at which memberships even out; 0: the mean of these rows.
  double temperature = 0.0;
  std::uint64_t seed = 0;  ///< that of the run: its rows and new ones are then treated alike
};

/// `recognised` for networks that make images under the recipe best, else `nearest`, unless asked
/// for.
[[nodiscard]] ClusterRule rule_for(ClusterRule asked, ClusterRecipe recipe,
                                   const nn::MixtureGeneratorOptions& generator);

/// The component of every row.
[[nodiscard]] gan::Assignment assign_rows(const RuleTask& task);

}  // namespace nw::app
