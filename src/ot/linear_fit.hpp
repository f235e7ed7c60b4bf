// A linear bound of values at a few points: what is known of a potential on a block of points.
#pragma once

#include <cstddef>
#include <span>

namespace nw::ot {

/// Fits are made in up to this many dimensions.
inline constexpr std::size_t kMaxFitDimensions = 8;

/// The slope of the least-squares plane through `values` at the points `offsets` ([n, dim],
/// row-major), shortened to length one at most: potentials of the Euclidean cost climb no faster.
void fit_slope(std::span<const double> offsets, std::span<const double> values, std::size_t dim,
               double* slope);

}  // namespace nw::ot
