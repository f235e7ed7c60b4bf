#include "app/compare/measure_record.hpp"

namespace nw::app {
namespace {

record::Verdict to_record(measure::Verdict verdict) {
  switch (verdict) {
    case measure::Verdict::same:
      return record::Verdict::same;
    case measure::Verdict::proportions:
      return record::Verdict::proportions;
    case measure::Verdict::components:
      return record::Verdict::components;
    case measure::Verdict::undecided:
      break;
  }
  return record::Verdict::undecided;
}

record::ComponentStatus status_of(const measure::ComponentChange& component, double alpha) {
  switch (component.presence) {
    case measure::Presence::only_x:
      return record::ComponentStatus::missing_from_y;
    case measure::Presence::only_y:
      return record::ComponentStatus::new_in_y;
    case measure::Presence::both:
      break;
  }
  return component.p < alpha ? record::ComponentStatus::shifted : record::ComponentStatus::shared;
}

std::vector<record::Interval> to_record(const std::vector<measure::Interval>& intervals) {
  std::vector<record::Interval> converted;
  converted.reserve(intervals.size());
  for (const auto& interval : intervals) converted.push_back({interval.low, interval.high});
  return converted;
}

}  // namespace

record::CompareResult to_record(const measure::CompareResult& result, double alpha) {
  record::CompareResult converted{.wasserstein = result.wasserstein,
                                  .normalized_wasserstein = result.normalized_wasserstein,
                                  .wasserstein_floor = result.wasserstein_null,
                                  .normalized_floor = result.floor,
                                  .k = result.k,
                                  .pi_x = result.pi_x,
                                  .pi_y = result.pi_y,
                                  .pi_x_interval = to_record(result.pi_x_interval),
                                  .pi_y_interval = to_record(result.pi_y_interval),
                                  .p_same = result.p_same,
                                  .p_components = result.p_components,
                                  .verdict = to_record(result.verdict)};
  for (const auto& component : result.components) {
    converted.components.push_back({.centre = component.centre,
                                    .mass_x = component.mass_x,
                                    .mass_y = component.mass_y,
                                    .shift = component.shift,
                                    .shift_size = component.shift_size,
                                    .spread_change = component.spread_change,
                                    .contribution = component.contribution,
                                    .p = component.p,
                                    .status = status_of(component, alpha)});
  }
  return converted;
}

record::ModeChoice to_record(const measure::ChooseKResult& result) {
  record::ModeChoice converted{.k = result.k, .reasons = {result.reason}};
  for (const auto& point : result.curve) {
    converted.curve.push_back({.k = point.k,
                               .nw = point.nw,
                               .nw_low = point.nw_low,
                               .nw_high = point.nw_high,
                               .floor_low = point.floor,
                               .floor_high = point.floor_high});
  }
  return converted;
}

}  // namespace nw::app
