#include "app/compare/measure_record.hpp"

#include <string>

#include "nw/base/error.hpp"

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

record::ComponentStatus to_record(measure::MemberStatus status) {
  switch (status) {
    case measure::MemberStatus::shared:
      break;
    case measure::MemberStatus::moved:
      return record::ComponentStatus::shifted;
    case measure::MemberStatus::new_in_y:
      return record::ComponentStatus::new_in_y;
    case measure::MemberStatus::missing_from_y:
      return record::ComponentStatus::missing_from_y;
  }
  return record::ComponentStatus::shared;
}

std::optional<record::RegionResult> to_record(const measure::RegionChange& region) {
  if (region.centre.empty()) return std::nullopt;
  return record::RegionResult{
      .share_x = region.share_x, .share_y = region.share_y, .p = region.p, .centre = region.centre};
}

record::CompareEvidence evidence_of(const measure::CompareResult& result) {
  record::CompareEvidence evidence{.p_energy = result.p_energy,
                                   .p_score = result.p_score,
                                   .p_ratio = result.p_ratio,
                                   .p_ratio_narrow = result.p_ratio_narrow,
                                   .p_members = result.p_members,
                                   .share_bound = result.share_bound,
                                   .smallest_share = result.smallest_share,
                                   .more_in_y = to_record(result.more_in_y),
                                   .more_in_x = to_record(result.more_in_x),
                                   .p_fit = result.p_fit,
                                   .misfit_x = result.misfit_x,
                                   .misfit_y = result.misfit_y};
  for (const auto& reading : result.k_readings) {
    evidence.k_readings.push_back({.k = reading.k, .p = reading.p});
  }
  return evidence;
}

record::Interval to_record(const measure::Interval& interval) {
  return {interval.low, interval.high};
}

record::EffectResult to_record(const measure::Effect& effect) {
  return {.mix_change = effect.mix_change,
          .mix_change_interval = to_record(effect.mix_change_interval),
          .largest_share_change = effect.largest_share_change,
          .largest_share_change_interval = to_record(effect.largest_share_change_interval),
          .members_moved = effect.members_moved,
          .members_moved_interval = to_record(effect.members_moved_interval),
          .score_change = effect.score_change,
          .score_change_interval = to_record(effect.score_change_interval),
          .min_share = effect.min_effect.share,
          .min_deviations = effect.min_effect.deviations,
          .confidence = effect.confidence,
          .equivalent = effect.equivalent,
          .below_min_effect = effect.below_min_effect,
          .sentence = effect.sentence};
}

std::vector<record::ColumnMove> to_record(const std::vector<measure::ColumnMove>& moves) {
  std::vector<record::ColumnMove> converted;
  for (const auto& move : moves) {
    converted.push_back({.column = std::to_string(move.coordinate + 1),
                         .from = move.from,
                         .to = move.to,
                         .deviations = move.deviations,
                         .spread_change = move.spread_change,
                         .p = move.p});
  }
  return converted;
}

std::vector<record::Interval> to_record(const std::vector<measure::Interval>& intervals) {
  std::vector<record::Interval> converted;
  converted.reserve(intervals.size());
  for (const auto& interval : intervals) converted.push_back({interval.low, interval.high});
  return converted;
}

}  // namespace

record::CompareResult to_record(const measure::CompareResult& result) {
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
                                  .verdict = to_record(result.verdict),
                                  .reason = result.reason,
                                  .evidence = evidence_of(result)};
  if (!result.components.empty()) converted.effect = to_record(result.effect);
  if (result.k_low > 0) {
    converted.k_interval =
        record::Interval{static_cast<double>(result.k_low), static_cast<double>(result.k_high)};
  }
  for (const auto& component : result.components) {
    converted.components.push_back({.centre = component.centre,
                                    .mass_x = component.mass_x,
                                    .mass_y = component.mass_y,
                                    .shift = component.shift,
                                    .shift_size = component.shift_size,
                                    .spread_change = component.spread_change,
                                    .contribution = component.contribution,
                                    .p = component.p,
                                    .status = to_record(component.status),
                                    .distance = component.distance,
                                    .null_distance = component.null_distance,
                                    .p_raw = component.p_raw,
                                    .members_x = component.members_x,
                                    .members_y = component.members_y,
                                    .columns_moved = to_record(component.columns_moved)});
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

void fill_record(const measure::CompareResult& result, const measure::CompareOptions& options,
                 record::RunRecord& record) {
  record.sentence = result.sentence;
  record.details = result.notes;
  record.compare = to_record(result);
  record.metrics = {{.name = "proportion_change",
                     .label = "Change of the proportions (total variation)",
                     .value = result.proportion_change},
                    {.name = "component_change",
                     .label = "Change within components (deviations)",
                     .value = result.component_change}};
  if (result.wasserstein > 0.0) {
    record.metrics.push_back({.name = "nw_over_w",
                              .label = "W_N / W",
                              .value = result.normalized_wasserstein / result.wasserstein});
  }
  record.converged = !result.interrupted;
  record.seconds = result.seconds;
  const std::size_t k = options.components;
  record.settings = {{"k", k == 0 ? std::string("auto") : std::to_string(k)},
                     {"resamplings", std::int64_t{options.resamplings}},
                     {"alpha", options.alpha},
                     {"alpha_components", options.alpha_components},
                     {"confidence", options.confidence},
                     {"min_effect", options.min_effect.share},
                     {"min_move", options.min_effect.deviations}};
  add_fit_settings(options.nw, record);
}

void fill_record(const measure::ChooseKResult& result, const measure::ChooseKOptions& options,
                 record::RunRecord& record) {
  record.sentence = concat("The number of modes is ", result.k, ".");
  record.details = {result.reason};
  record.mode_choice = to_record(result);
  if (!result.reached_floor) {
    record.warnings.push_back(concat("No k up to ", options.max_k,
                                     " brings NW down to the noise floor; try a larger one."));
  }
  record.converged = !result.interrupted;
  record.seconds = result.seconds;
  record.settings = {{"min_k", static_cast<std::int64_t>(options.min_k)},
                     {"max_k", static_cast<std::int64_t>(options.max_k)}};
  add_fit_settings(options.nw, record);
}

void add_fit_settings(const measure::NwOptions& options, record::RunRecord& record) {
  record.settings.insert(record.settings.end(),
                         {{"p", std::int64_t{options.order}},
                          {"shape", std::string(to_string(options.shape))},
                          {"restarts", std::int64_t{options.restarts}},
                          {"max_points", static_cast<std::int64_t>(options.max_points)},
                          {"max_dim", static_cast<std::int64_t>(options.max_dim)}});
}

}  // namespace nw::app
