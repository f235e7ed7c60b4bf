// A data set as the solvers take it.
#pragma once

#include "nw/io/points.hpp"
#include "nw/ot/problem.hpp"

namespace nw::app {

/// The set must outlive the view.
[[nodiscard]] inline ot::WeightedPoints weighted(const io::PointSet& points) {
  return {.points = points.values, .weights = points.weights};
}

}  // namespace nw::app
