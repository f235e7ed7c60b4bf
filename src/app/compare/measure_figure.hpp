// The picture of a comparison: sampled points, component ellipses and both kinds of couplings.
#pragma once

#include <string>
#include <vector>

#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/record/figure.hpp"

namespace nw::app {

/// `y` may be empty: then there is no plain coupling to draw.
[[nodiscard]] record::Figure make_figure(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                         const std::vector<std::string>& column_names,
                                         const measure::NwResult& fit, int threads);

}  // namespace nw::app
