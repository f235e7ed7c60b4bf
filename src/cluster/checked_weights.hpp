// Private: the weights of points to cluster.
#pragma once

#include <cstddef>

#include "nw/base/error.hpp"
#include "nw/base/value_limit.hpp"
#include "nw/ot/problem.hpp"

#include "measure/dense.hpp"

namespace nw::cluster {

/// One weight per point, of any scale; ones where none are given. Throws InvalidArgument in the
/// name of `caller` when they do not fit the points, there are fewer of these than clusters, or
/// their distances cannot be squared.
[[nodiscard]] inline Eigen::VectorXd checked_weights(const ot::WeightedPoints& data,
                                                     std::size_t clusters, const char* caller) {
  const std::size_t rows = data.points.rows();
  require(clusters <= rows, caller, ": ", clusters, " clusters of ", rows, " points");
  if (const auto place = first_unsquarable(data.points)) {
    throw InvalidArgument(concat(caller, ": row ", place->row, ", column ", place->column, " is ",
                                 data.points(place->row, place->column),
                                 ", which cannot be squared"));
  }
  if (data.weights.empty()) return Eigen::VectorXd::Ones(static_cast<Eigen::Index>(rows));
  require(data.weights.size() == rows, caller, ": ", data.weights.size(), " weights for ", rows,
          " points");
  const auto weights = measure::as_eigen(data.weights);
  require(weights.minCoeff() >= 0.0 && weights.sum() > 0.0, caller,
          ": weights must not be negative nor all zero");
  return weights;
}

}  // namespace nw::cluster
