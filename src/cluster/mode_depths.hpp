// Private: how deep the valleys between the modes of a mixture of Gaussians are.
#pragma once

#include <span>
#include <vector>

#include "nw/measure/mixture.hpp"

namespace nw::cluster {

/// For every component but that of the highest peak: log density at its centre over that at the
/// highest pass to a higher one. The deepest first; a component that is no mode has 0.
[[nodiscard]] std::vector<double> mode_depths(const measure::Mixture& mixture,
                                              std::span<const double> pi, double ridge);

}  // namespace nw::cluster
