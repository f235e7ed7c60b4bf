// The costs between two point clouds, computed when asked for.
#pragma once

#include <memory>

#include "nw/ot/problem.hpp"

#include "ot/cost_model.hpp"
#include "ot/point_cloud.hpp"

namespace nw::ot {

/// Precision of the search; its answers are exact either way. Single precision is faster unless
/// reduced costs are small against the coordinates, when rechecking its finds costs more.
enum class SearchPrecision { single_precision, double_precision };

/// A cost model that refers to the two clouds, which must outlive it.
[[nodiscard]] std::unique_ptr<CostModel> make_point_costs(const PointCloud& sources,
                                                          const PointCloud& targets,
                                                          GroundCost cost,
                                                          SearchPrecision precision, int threads);

/// Potentials at `queries` from potentials h of `cloud`: min over its points y of c(x, y) - h(y).
void extend_potential(const PointCloud& cloud, std::span<const double> potential,
                      const PointCloud& queries, GroundCost cost, SearchPrecision precision,
                      int threads, std::span<double> extended);

}  // namespace nw::ot
