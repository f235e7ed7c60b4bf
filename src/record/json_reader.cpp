#include <utility>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/record/run_record.hpp"

#include "io/json_check.hpp"
#include "record/adaptation_json.hpp"
#include "record/json_place.hpp"
#include "record/learning_fields.hpp"
#include "record/names.hpp"
#include "record/transport_fields.hpp"

namespace nw::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxDepth = 64, kMaxKeys = 4096;

DataSet read_data_set(const Place& from) {
  DataSet set;
  from.get("name", set.name);
  from.get("path", set.path);
  from.get("rows", set.rows);
  from.get("columns", set.columns);
  from.get("column_names", set.column_names);
  from.get("weighted", set.weighted);
  return set;
}

ColumnSummary read_column(const Place& from) {
  ColumnSummary column;
  from.get("name", column.name);
  from.get("kind", column.kind);
  from.get("used", column.used);
  from.get("reason", column.reason);
  from.get("notes", column.notes);
  from.get("missing_x", column.missing_x);
  from.get("missing_y", column.missing_y);
  from.get("missing_p", column.missing_p);
  from.get("missing_changed", column.missing_changed);
  from.get("change", column.change);
  from.get("change_between", column.change_between);
  from.get("change_within", column.change_within);
  from.get("change_p", column.change_p);
  return column;
}

DistanceResult read_distance(const Place& root) {
  DistanceResult result;
  root.get("distance", result.distance);
  root.get("method", result.method);
  root.get("primal", result.primal);
  root.get("dual", result.dual);
  root.get("gap", result.gap);
  return result;
}

/// What a ColumnGap is, and a ColumnMove begins with.
template <typename Column>
Column read_column_gap(const Place& from) {
  Column gap;
  from.get("column", gap.column);
  from.get("level", gap.level);
  from.get("from", gap.from);
  from.get("to", gap.to);
  from.get("deviations", gap.deviations);
  return gap;
}

ColumnMove read_column_move(const Place& from) {
  auto move = read_column_gap<ColumnMove>(from);
  from.get("spread_change", move.spread_change);
  from.get("p", move.p);
  return move;
}

NamePart read_name_part(const Place& from) {
  NamePart part;
  from.get("column", part.column);
  from.get("relation", part.relation);
  from.get("value", part.value);
  return part;
}

/// Records from before names had parts have the text alone.
ComponentName read_component_name(const Place& from) {
  ComponentName name;
  from.get_each("name_parts", name.parts, read_name_part);
  std::string text;
  from.get("name", text);
  if (name.empty() && !text.empty()) name.parts = {{.value = text}};
  return name;
}

ComponentResult read_component(const Place& from) {
  ComponentResult result;
  result.name = read_component_name(from);
  from.get("centre", result.centre);
  from.get("mass_x", result.mass_x);
  from.get("mass_y", result.mass_y);
  from.get("shift", result.shift);
  from.get("shift_size", result.shift_size);
  from.get("spread_change", result.spread_change);
  from.get("contribution", result.contribution);
  from.get("p", result.p);
  from.get("status", result.status, kStatusNames);
  from.get("distance", result.distance);
  from.get("null_distance", result.null_distance);
  from.get("p_raw", result.p_raw);
  from.get("members_x", result.members_x);
  from.get("members_y", result.members_y);
  from.get_each("columns_moved", result.columns_moved, read_column_move);
  return result;
}

PossibleMove read_possible_move(const Place& from) {
  PossibleMove move;
  from.get("gone", move.gone);
  from.get("appeared", move.appeared);
  from.get("deviations", move.deviations);
  from.get_each("columns", move.columns, read_column_gap<ColumnGap>);
  return move;
}

KReading read_k_reading(const Place& from) {
  KReading reading;
  from.get("k", reading.k);
  from.get("p", reading.p);
  return reading;
}

RegionResult read_region(const Place& from) {
  RegionResult region;
  from.get("share_x", region.share_x);
  from.get("share_y", region.share_y);
  from.get("p", region.p);
  from.get("centre", region.centre);
  return region;
}

CompareEvidence read_evidence(const Place& from) {
  CompareEvidence evidence;
  from.get("p_energy", evidence.p_energy);
  from.get("p_score", evidence.p_score);
  from.get("p_ratio", evidence.p_ratio);
  from.get("p_ratio_narrow", evidence.p_ratio_narrow);
  from.get("p_members", evidence.p_members);
  from.get("share_bound", evidence.share_bound);
  from.get("smallest_share", evidence.smallest_share);
  from.get("p_fit", evidence.p_fit);
  from.get("misfit_x", evidence.misfit_x);
  from.get("misfit_y", evidence.misfit_y);
  from.get_each("k_readings", evidence.k_readings, read_k_reading);
  if (from.has("more_in_y")) evidence.more_in_y = read_region(from.at("more_in_y"));
  if (from.has("more_in_x")) evidence.more_in_x = read_region(from.at("more_in_x"));
  return evidence;
}

EffectResult read_effect(const Place& from) {
  EffectResult effect;
  from.get("mix_change", effect.mix_change);
  from.get("mix_change_interval", effect.mix_change_interval);
  from.get("largest_share_change", effect.largest_share_change);
  from.get("largest_share_change_interval", effect.largest_share_change_interval);
  from.get("members_moved", effect.members_moved);
  from.get("members_moved_interval", effect.members_moved_interval);
  from.get("score_change", effect.score_change);
  from.get("score_change_interval", effect.score_change_interval);
  if (from.has("min_effect")) {
    const Place least = from.at("min_effect");
    least.get("share", effect.min_share);
    least.get("deviations", effect.min_deviations);
  }
  from.get("confidence", effect.confidence);
  from.get("equivalent", effect.equivalent);
  from.get("below_min_effect", effect.below_min_effect);
  from.get("sentence", effect.sentence);
  return effect;
}

ShareRoute read_share_route(const Place& from) {
  ShareRoute route;
  from.get("name", route.name);
  from.get("share", route.share);
  from.get("interval", route.interval);
  return route;
}

CompareResult read_compare(const Place& root) {
  CompareResult result;
  root.get("wasserstein", result.wasserstein);
  root.get("normalized_wasserstein", result.normalized_wasserstein);
  root.get("wasserstein_floor", result.wasserstein_floor);
  root.get("normalized_floor", result.normalized_floor);
  root.get("k", result.k);
  root.get("pi_x", result.pi_x);
  root.get("pi_y", result.pi_y);
  root.get("pi_x_interval", result.pi_x_interval);
  root.get("pi_y_interval", result.pi_y_interval);
  root.get("p_same", result.p_same);
  root.get("p_components", result.p_components);
  root.get("verdict", result.verdict, kVerdictNames);
  root.get_each("components", result.components, read_component);
  root.get_each("possible_moves", result.possible_moves, read_possible_move);
  root.get("reason", result.reason);
  root.get("k_interval", result.k_interval);
  if (root.has("evidence")) result.evidence = read_evidence(root.at("evidence"));
  if (root.has("effect")) result.effect = read_effect(root.at("effect"));
  root.get("members", result.members);
  root.get_each("share_routes", result.share_routes, read_share_route);
  return result;
}

CurvePoint read_curve_point(const Place& from) {
  CurvePoint point;
  from.get("k", point.k);
  from.get("nw", point.nw);
  from.get("nw_low", point.nw_low);
  from.get("nw_high", point.nw_high);
  from.get("floor_low", point.floor_low);
  from.get("floor_high", point.floor_high);
  return point;
}

ModeChoice read_mode_choice(const Place& root) {
  ModeChoice choice;
  root.get(root.has("k_star") ? "k_star" : "k", choice.k);
  root.get_each("curve", choice.curve, read_curve_point);
  root.get("reasons", choice.reasons);
  return choice;
}

ClusteringSummary read_clustering(const Place& root) {
  ClusteringSummary clustering;
  for (const char* criterion : {"inertia", "log_likelihood", "objective", "separation"}) {
    if (root.has(criterion)) clustering.criterion = criterion;
  }
  if (root.has("starts")) clustering.training.emplace();
  visit_clustering(clustering, [&](const char* name, auto& member) { root.get(name, member); });
  return clustering;
}

GenerationSummary read_generation(const Place& root) {
  GenerationSummary generation;
  const std::size_t sets = root.has("pi_x") ? 2 : 1;
  generation.pi.resize(sets);
  generation.wasserstein.resize(sets);
  generation.floor.resize(sets);
  visit_generation(generation, [&](const char* name, auto& member) { root.get(name, member); });
  return generation;
}

/// What stands beside a distance, or in its place: one field of each kind tells.
void read_transport(const Place& root, RunRecord& record) {
  if (record.kind != RunKind::distance) return;
  const auto get = [&](const char* name, auto& member) { root.get(name, member); };
  if (root.has("exact")) visit_transport(record.transport.emplace(), get);
  if (root.has("distances")) visit_pairs(record.pairs.emplace(), get);
  if (root.has("plan_cost")) visit_certificate(record.certificate.emplace(), get);
}

/// Applications that learn have no kind of their own: their fields tell.
void read_learning(const Place& root, RunRecord& record) {
  if (record.kind != RunKind::training) return;
  if (root.has("pi") && root.has("iterations")) record.clustering = read_clustering(root);
  const bool generated = root.has("recoveries") && (root.has("pi") || root.has("wasserstein_x"));
  if (generated) record.generation = read_generation(root);
}

Metric read_metric(const Place& from) {
  Metric metric;
  from.get("name", metric.name);
  from.get("label", metric.label);
  from.get("value", metric.value);
  from.get("interval", metric.interval);
  from.get("expected", metric.expected);
  return metric;
}

Picture read_picture(const Place& from) {
  Picture picture;
  from.get("title", picture.title);
  from.get("caption", picture.caption);
  from.get("width", picture.width);
  from.get("height", picture.height);
  from.get("png", picture.png);
  return picture;
}

Series read_series(const Place& from) {
  Series series;
  from.get("name", series.name);
  from.get("x_label", series.x_label);
  from.get("y_label", series.y_label);
  from.get("x", series.x);
  from.get("y", series.y);
  from.get("chart", series.chart);
  return series;
}

FigureAxis read_axis(const Place& from) {
  FigureAxis axis;
  from.get("name", axis.name);
  from.get("variance_share", axis.variance_share);
  return axis;
}

FigureEllipse read_ellipse(const Place& from) {
  FigureEllipse ellipse;
  from.get("component", ellipse.component);
  from.get("centre", ellipse.centre);
  from.get("covariance", ellipse.covariance);
  return ellipse;
}

FigureColumn read_figure_column(const Place& from) {
  FigureColumn column;
  from.get("name", column.name);
  from.get("levels", column.levels);
  from.get("x", column.x);
  from.get("y", column.y);
  return column;
}

Figure read_figure(const Place& from) {
  Figure figure;
  from.get_each("axes", figure.axes, read_axis);
  from.get("x", figure.x);
  from.get("y", figure.y);
  from.get_each("ellipses", figure.ellipses, read_ellipse);
  from.get("plain", figure.plain);
  from.get("normalized_x", figure.normalized_x);
  from.get("normalized_y", figure.normalized_y);
  from.get("member_x", figure.member_x);
  from.get("member_y", figure.member_y);
  from.get_each("columns", figure.columns, read_figure_column);
  return figure;
}

// Training commands put their own fields at the top; whatever is not ours is theirs.
std::string unknown_fields(const Json& root, const RunRecord& known) {
  const Json ours = Json::parse(to_json(known, -1));
  Json rest = Json::object();
  for (const auto& [name, value] : root.items()) {
    // "k" and the empty optional fields read as null are ours although they may not be written.
    if (!ours.contains(name) && !value.is_null() && name != "k_star") rest[name] = value;
  }
  return rest.empty() ? std::string() : rest.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// For results that another program wrote without saying what they are.
RunKind guess_kind(const Place& root) {
  if (root.has("pi_x")) return RunKind::compare;
  if (root.has("curve")) return RunKind::choose_k;
  return root.has("distance") ? RunKind::distance : RunKind::training;
}

RunRecord read_root(const Json& json, const std::string& source) {
  const Place root(json, source + ": ");
  if (!json.is_object()) root.fail("a JSON object");
  RunRecord record;
  record.kind = guess_kind(root);
  root.get("kind", record.kind, kRunKindNames);
  root.get("command", record.command);
  root.get("title", record.title);
  root.get("sentence", record.sentence);
  root.get("details", record.details);
  root.get("warnings", record.warnings);
  root.get_each("data", record.data, read_data_set);
  root.get_each("columns", record.columns, read_column);
  if (root.has("distance")) record.distance = read_distance(root);
  // A model trained on two data sets has proportions of both but no verdict.
  if (root.has("pi_x") && record.kind != RunKind::training) record.compare = read_compare(root);
  if (root.has("curve")) record.mode_choice = read_mode_choice(root);
  read_transport(root, record);
  read_learning(root, record);
  read_adaptation(root, record);
  root.get_each("metrics", record.metrics, read_metric);
  root.get_each("series", record.series, read_series);
  root.get_each("pictures", record.pictures, read_picture);
  if (root.has("figure")) record.figure = read_figure(root.at("figure"));
  root.get("converged", record.converged);
  root.get("seconds", record.seconds);
  root.get("peak_rss_mb", record.peak_rss_mb);
  root.get("seeds", record.seeds);
  root.get("created", record.created);
  root.get("settings", record.settings);
  root.get("versions", record.versions);
  return record;
}

Json parse(const std::string& text, const std::string& source) {
  // Writing a value back recurses into it; no record is nested nearly as deep as this.
  io::JsonCheck check(source, {.max_depth = kMaxDepth, .max_keys = kMaxKeys});
  static_cast<void>(nlohmann::json::sax_parse(text, &check));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw IoError(concat(source, ": not valid JSON at byte ", error.byte));
  } catch (const Json::exception& error) {  // such as a number beyond the range of double
    throw IoError(concat(source, ": ", error.what()));
  }
}

}  // namespace

RunRecord from_json(const std::string& text, const std::string& source) {
  const Json json = parse(text, source);
  RunRecord record = read_root(json, source);
  try {
    record.validate();
  } catch (const InvalidArgument& error) {
    throw IoError(source + ": " + error.what());
  }
  record.extra = unknown_fields(json, record);
  return record;
}

}  // namespace nw::record
