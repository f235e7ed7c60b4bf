#include "app/compare/measure_record.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

std::optional<record::RegionResult> to_record(const measure::RegionChange& region) {
  if (region.centre.empty()) return std::nullopt;
  return record::RegionResult{
      .share_x = region.share_x, .share_y = region.share_y, .p = region.p, .centre = region.centre};
}

record::CompareEvidence evidence_of(const measure::CompareResult& result) {
  return {.p_energy = result.p_energy,
          .p_score = result.p_score,
          .p_ratio = result.p_ratio,
          .p_ratio_narrow = result.p_ratio_narrow,
          .p_members = result.p_members,
          .share_bound = result.share_bound,
          .smallest_share = result.smallest_share,
          .k_readings = result.k_readings,
          .more_in_y = to_record(result.more_in_y),
          .more_in_x = to_record(result.more_in_x),
          .p_fit = result.p_fit,
          .misfit_x = result.misfit_x,
          .misfit_y = result.misfit_y};
}

record::EffectResult to_record(const measure::Effect& effect) {
  return {.mix_change = effect.mix_change,
          .mix_change_interval = effect.mix_change_interval,
          .largest_share_change = effect.largest_share_change,
          .largest_share_change_interval = effect.largest_share_change_interval,
          .members_moved = effect.members_moved,
          .members_moved_interval = effect.members_moved_interval,
          .score_change = effect.score_change,
          .score_change_interval = effect.score_change_interval,
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

record::PossibleMove to_record(const measure::PossibleMove& move) {
  record::PossibleMove converted{
      .gone = move.gone + 1, .appeared = move.appeared + 1, .deviations = move.deviations};
  for (const auto& gap : move.columns) {
    converted.columns.push_back({.column = std::to_string(gap.coordinate + 1),
                                 .from = gap.from,
                                 .to = gap.to,
                                 .deviations = gap.deviations});
  }
  return converted;
}

void add_class_shares(const measure::CompareResult& result,
                      const std::vector<record::ComponentName>& names, record::RunRecord& record) {
  for (std::size_t c = 0; c < result.classes.size(); ++c) {
    const auto& share = result.classes[c];
    const std::string name = c < names.size() ? names[c].text() : std::to_string(c);
    record.metrics.push_back(
        {.name = "share_y:" + name,
         .label = "Share of class " + name + " in Y, if Y is a mix of the classes of X",
         .value = share.share_y,
         .interval = share.share_y_interval});
  }
}

/// Every choice that a user can make, under the name that Python has for it.
template <typename Options>
void add_settings(Options options, record::RunRecord& record) {
  options.for_each_field([&](const OptionField& field, const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if (!field.decides || setting_name(field).empty()) return;
    if constexpr (std::is_enum_v<Value>) {
      record.settings.emplace_back(field.name, std::string(choice_name(value)));
    } else if constexpr (std::is_integral_v<Value>) {
      record.settings.emplace_back(field.name, static_cast<std::int64_t>(value));
    } else {
      record.settings.emplace_back(field.name, value);
    }
  });
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
                                  .pi_x_interval = result.pi_x_interval,
                                  .pi_y_interval = result.pi_y_interval,
                                  .p_same = result.p_same,
                                  .p_components = result.p_components,
                                  .verdict = result.verdict,
                                  .reason = result.reason,
                                  .evidence = evidence_of(result)};
  if (!result.components.empty()) converted.effect = to_record(result.effect);
  if (result.k_low > 0) {
    converted.k_interval =
        Interval{static_cast<double>(result.k_low), static_cast<double>(result.k_high)};
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
                                    .status = component.status,
                                    .distance = component.distance,
                                    .null_distance = component.null_distance,
                                    .p_raw = component.p_raw,
                                    .members_x = component.members_x,
                                    .members_y = component.members_y,
                                    .columns_moved = to_record(component.columns_moved)});
  }
  if (result.members.size() < result.components.size()) {
    for (std::vector<std::size_t> member : result.members) {
      for (std::size_t& component : member) ++component;
      converted.members.push_back(std::move(member));
    }
  }
  for (const auto& [name, shares] : result.share_routes) {
    converted.share_routes.push_back(
        {.name = name, .share = shares.share, .interval = shares.interval});
  }
  for (const auto& move : result.possible_moves) {
    converted.possible_moves.push_back(to_record(move));
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
                 const std::vector<record::ComponentName>& names, record::RunRecord& record) {
  record.sentence = result.sentence;
  record.details = result.notes;
  record.compare = to_record(result);
  for (std::size_t j = 0; j < std::min(names.size(), record.compare->components.size()); ++j) {
    record.compare->components[j].name = names[j];
  }
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
  add_class_shares(result, names, record);
  record.converged = !result.interrupted;
  record.seconds = result.seconds;
  const std::size_t k = options.components;
  record.settings = {{"k", k == 0 ? std::string("auto") : std::to_string(k)}};
  add_settings(options, record);
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
  add_settings(options, record);
}

}  // namespace nw::app
