#include "nw/ot/plan_columns.hpp"

namespace nw::ot {

PlanColumns plan_columns(std::span<const Flow> plan) {
  PlanColumns columns;
  columns.source.reserve(plan.size());
  columns.target.reserve(plan.size());
  columns.mass.reserve(plan.size());
  for (const Flow& flow : plan) {
    columns.source.push_back(flow.source);
    columns.target.push_back(flow.target);
    columns.mass.push_back(flow.mass);
  }
  return columns;
}

}  // namespace nw::ot
