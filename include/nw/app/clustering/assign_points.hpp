// New points in clusters that were found before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nw/app/clustering/model.hpp"
#include "nw/cluster/agreement.hpp"
#include "nw/io/points.hpp"

namespace nw::app {

struct AssignedPoints {
  ClusterAssignment assignment = {};
  std::vector<double> shares = {};                   ///< [k], of the points in each cluster
  std::optional<cluster::Agreement> agreement = {};  ///< where the points have classes
};

/// Throws IoError naming the points when their rows are longer or shorter than the model's.
[[nodiscard]] AssignedPoints assign_points(const ClusterModel& model, const io::PointSet& points,
                                           const AssignOptions& options = {});

/// Fields of the JSON object that tells of it: rows, k, pi, shares, and the agreement.
[[nodiscard]] std::string assignment_fields(const ClusterModel& model,
                                            const AssignedPoints& assigned);

}  // namespace nw::app
