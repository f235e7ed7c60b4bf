#include "nw/app/clustering/assign_points.hpp"

#include <nlohmann/json.hpp>

#include "nw/app/clustering/find_clusters.hpp"
#include "nw/base/error.hpp"

#include "io/json_value.hpp"

namespace nw::app {

AssignedPoints assign_points(const ClusterModel& model, const io::PointSet& points,
                             const AssignOptions& options) {
  if (points.dimension() != model.dimension()) {
    throw IoError(concat(points.source, ": rows of ", points.dimension(),
                         " values, the run knows rows of ", model.dimension()));
  }
  AssignedPoints assigned{.assignment = model.assign(points.values, options)};
  assigned.shares.assign(model.pi().size(), 0.0);
  for (const auto cluster : assigned.assignment.cluster) {
    assigned.shares[cluster] += 1.0 / static_cast<double>(points.size());
  }
  assigned.agreement = agreement_with_classes(points, assigned.assignment.cluster);
  return assigned;
}

std::string assignment_fields(const ClusterModel& model, const AssignedPoints& assigned) {
  Json fields{{"rows", assigned.assignment.cluster.size()},
              {"k", assigned.shares.size()},
              {"pi", model.pi()},
              {"shares", assigned.shares}};
  if (const auto& scores = assigned.agreement) {
    fields.update(Json{{"purity", scores->purity},
                       {"nmi", scores->nmi},
                       {"ami", scores->ami},
                       {"ari", scores->ari}});
  }
  return fields.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace nw::app
