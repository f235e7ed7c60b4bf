// Private: clusters made of several Gaussians.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/cluster/gaussian_mixture.hpp"

namespace nw::cluster {

/// The components of `fine` become one, pair by pair, until k are left: those first of which the
/// largest share of one would be taken for the other (directly estimated misclassification, Hennig
/// 2010). The cluster of each row; some may be empty.
[[nodiscard]] std::vector<std::uint32_t> merge_gaussians(MatrixView rows,
                                                         const GaussianMixtureResult& fine,
                                                         double ridge, std::size_t k);

}  // namespace nw::cluster
