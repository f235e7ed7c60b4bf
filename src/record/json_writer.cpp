#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/record/run_record.hpp"

#include "record/adaptation_json.hpp"
#include "record/learning_fields.hpp"
#include "record/names.hpp"
#include "record/transport_fields.hpp"

namespace nw::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

// JSON has no word for these; null is what every reader understands as "no number".
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// What `write_entry` makes of each value, in order.
template <typename T, typename WriteEntry>
Json list(const std::vector<T>& values, WriteEntry&& write_entry) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(write_entry(value));
  return array;
}

Json numbers(const std::vector<double>& values) {
  return list(values, number);
}

// Six digits are finer than any screen and halve the size of a page.
Json rounded_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

Json rounded(const std::vector<double>& values) {
  return list(values, rounded_number);
}

void put(Json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = number(*value);
}

void put(Json& object, const char* name, const std::string& value) {
  if (!value.empty()) object[name] = value;
}

Json interval(const Interval& value) {
  return Json::array({number(value.low), number(value.high)});
}

void put(Json& object, const char* name, const std::optional<Interval>& value) {
  if (value) object[name] = interval(*value);
}

Json data_set_object(const DataSet& set) {
  Json object = {{"name", set.name}};
  put(object, "path", set.path);
  object["rows"] = set.rows;
  object["columns"] = set.columns;
  if (!set.column_names.empty()) object["column_names"] = set.column_names;
  if (set.weighted) object["weighted"] = true;
  return object;
}

Json column_object(const ColumnSummary& column) {
  Json object = {{"name", column.name}, {"kind", column.kind}, {"used", column.used}};
  put(object, "reason", column.reason);
  if (!column.notes.empty()) object["notes"] = column.notes;
  object["missing_x"] = number(column.missing_x);
  object["missing_y"] = number(column.missing_y);
  put(object, "missing_p", column.missing_p);
  if (column.missing_changed) object["missing_changed"] = true;
  put(object, "change", column.change);
  put(object, "change_between", column.change_between);
  put(object, "change_within", column.change_within);
  put(object, "change_p", column.change_p);
  return object;
}

void put_distance(Json& root, const DistanceResult& result) {
  root["distance"] = number(result.distance);
  root["method"] = result.method;
  put(root, "primal", result.primal);
  put(root, "dual", result.dual);
  put(root, "gap", result.gap);
}

/// What a ColumnGap is, and a ColumnMove begins with.
template <typename Column>
Json column_gap(const Column& gap) {
  Json object = {{"column", gap.column}};
  put(object, "level", gap.level);
  object["from"] = number(gap.from);
  object["to"] = number(gap.to);
  object["deviations"] = number(gap.deviations);
  return object;
}

Json column_move(const ColumnMove& move) {
  Json object = column_gap(move);
  object["spread_change"] = number(move.spread_change);
  object["p"] = number(move.p);
  return object;
}

Json name_part(const NamePart& part) {
  return {{"column", part.column}, {"relation", part.relation}, {"value", part.value}};
}

Json component(const ComponentResult& result) {
  Json object = Json::object();
  put(object, "name", result.name.text());
  if (!result.name.empty()) object["name_parts"] = list(result.name.parts, name_part);
  object["centre"] = numbers(result.centre);
  object["mass_x"] = number(result.mass_x);
  object["mass_y"] = number(result.mass_y);
  if (!result.shift.empty()) object["shift"] = numbers(result.shift);
  put(object, "shift_size", result.shift_size);
  put(object, "spread_change", result.spread_change);
  put(object, "contribution", result.contribution);
  put(object, "p", result.p);
  object["status"] = name_of(kStatusNames, result.status);
  put(object, "distance", result.distance);
  put(object, "null_distance", result.null_distance);
  put(object, "p_raw", result.p_raw);
  if (result.members_x) object["members_x"] = *result.members_x;
  if (result.members_y) object["members_y"] = *result.members_y;
  if (!result.columns_moved.empty()) {
    object["columns_moved"] = list(result.columns_moved, column_move);
  }
  return object;
}

Json possible_move(const PossibleMove& move) {
  return {{"gone", move.gone},
          {"appeared", move.appeared},
          {"deviations", number(move.deviations)},
          {"columns", list(move.columns, column_gap<ColumnGap>)}};
}

Json region(const RegionResult& result) {
  return {{"share_x", number(result.share_x)},
          {"share_y", number(result.share_y)},
          {"p", number(result.p)},
          {"centre", numbers(result.centre)}};
}

Json evidence_object(const CompareEvidence& evidence) {
  Json object = {{"p_energy", number(evidence.p_energy)},
                 {"p_score", number(evidence.p_score)},
                 {"p_ratio", number(evidence.p_ratio)},
                 {"p_ratio_narrow", number(evidence.p_ratio_narrow)},
                 {"p_members", number(evidence.p_members)},
                 {"share_bound", number(evidence.share_bound)},
                 {"smallest_share", number(evidence.smallest_share)},
                 {"p_fit", number(evidence.p_fit)},
                 {"misfit_x", number(evidence.misfit_x)},
                 {"misfit_y", number(evidence.misfit_y)}};
  object["k_readings"] = list(evidence.k_readings, [](const KReading& reading) {
    return Json{{"k", reading.k}, {"p", number(reading.p)}};
  });
  if (evidence.more_in_y) object["more_in_y"] = region(*evidence.more_in_y);
  if (evidence.more_in_x) object["more_in_x"] = region(*evidence.more_in_x);
  return object;
}

Json effect_object(const EffectResult& effect) {
  return {{"mix_change", number(effect.mix_change)},
          {"mix_change_interval", interval(effect.mix_change_interval)},
          {"largest_share_change", number(effect.largest_share_change)},
          {"largest_share_change_interval", interval(effect.largest_share_change_interval)},
          {"members_moved", number(effect.members_moved)},
          {"members_moved_interval", interval(effect.members_moved_interval)},
          {"score_change", number(effect.score_change)},
          {"score_change_interval", interval(effect.score_change_interval)},
          {"min_effect",
           {{"share", number(effect.min_share)}, {"deviations", number(effect.min_deviations)}}},
          {"confidence", number(effect.confidence)},
          {"equivalent", effect.equivalent},
          {"below_min_effect", effect.below_min_effect},
          {"sentence", effect.sentence}};
}

Json share_route(const ShareRoute& route) {
  return {{"name", route.name},
          {"share", numbers(route.share)},
          {"interval", list(route.interval, interval)}};
}

void put_compare(Json& root, const CompareResult& result) {
  root["wasserstein"] = number(result.wasserstein);
  root["normalized_wasserstein"] = number(result.normalized_wasserstein);
  put(root, "wasserstein_floor", result.wasserstein_floor);
  put(root, "normalized_floor", result.normalized_floor);
  root["k"] = result.k;
  root["pi_x"] = numbers(result.pi_x);
  root["pi_y"] = numbers(result.pi_y);
  root["pi_x_interval"] = list(result.pi_x_interval, interval);
  root["pi_y_interval"] = list(result.pi_y_interval, interval);
  put(root, "p_same", result.p_same);
  put(root, "p_components", result.p_components);
  root["verdict"] = to_string(result.verdict);
  put(root, "reason", result.reason);
  put(root, "k_interval", result.k_interval);
  root["components"] = list(result.components, component);
  if (!result.possible_moves.empty()) {
    root["possible_moves"] = list(result.possible_moves, possible_move);
  }
  if (result.evidence) root["evidence"] = evidence_object(*result.evidence);
  if (result.effect) root["effect"] = effect_object(*result.effect);
  if (!result.members.empty()) root["members"] = result.members;
  if (!result.share_routes.empty()) root["share_routes"] = list(result.share_routes, share_route);
}

Json curve_point(const CurvePoint& point) {
  Json object = {{"k", point.k}, {"nw", number(point.nw)}};
  put(object, "nw_low", point.nw_low);
  put(object, "nw_high", point.nw_high);
  put(object, "floor_low", point.floor_low);
  put(object, "floor_high", point.floor_high);
  return object;
}

void put_mode_choice(Json& root, const ModeChoice& choice) {
  // A comparison may run with a k of the user's; k* is then what the curve would have chosen.
  if (!root.contains("k")) root["k"] = choice.k;
  root["k_star"] = choice.k;
  root["curve"] = list(choice.curve, curve_point);
  if (!choice.reasons.empty()) root["reasons"] = choice.reasons;
}

Json metric_object(const Metric& metric) {
  Json object = {{"name", metric.name}};
  put(object, "label", metric.label);
  object["value"] = number(metric.value);
  put(object, "interval", metric.interval);
  put(object, "expected", metric.expected);
  return object;
}

Json series_object(const Series& line) {
  Json object = {{"name", line.name},
                 {"x_label", line.x_label},
                 {"y_label", line.y_label},
                 {"x", numbers(line.x)},
                 {"y", numbers(line.y)}};
  put(object, "chart", line.chart);
  return object;
}

Json picture_object(const Picture& picture) {
  Json object = {{"title", picture.title}};
  put(object, "caption", picture.caption);
  object["width"] = picture.width;
  object["height"] = picture.height;
  object["png"] = picture.png;
  return object;
}

Json axis_object(const FigureAxis& axis) {
  return {{"name", axis.name}, {"variance_share", number(axis.variance_share)}};
}

Json ellipse_object(const FigureEllipse& ellipse) {
  return {{"component", ellipse.component},
          {"centre", rounded(ellipse.centre)},
          {"covariance", rounded(ellipse.covariance)}};
}

Json coupling_array(const FigureCoupling& coupling) {
  return Json::array({rounded(coupling.from), rounded(coupling.to), rounded_number(coupling.mass)});
}

Json figure_column_object(const FigureColumn& column) {
  Json object = {{"name", column.name}};
  if (!column.levels.empty()) object["levels"] = column.levels;
  object["x"] = rounded(column.x);
  object["y"] = rounded(column.y);
  return object;
}

Json figure_object(const Figure& figure) {
  Json object = {{"axes", list(figure.axes, axis_object)},
                 {"x", list(figure.x, rounded)},
                 {"y", list(figure.y, rounded)},
                 {"ellipses", list(figure.ellipses, ellipse_object)},
                 {"plain", list(figure.plain, coupling_array)},
                 {"normalized_x", list(figure.normalized_x, coupling_array)},
                 {"normalized_y", list(figure.normalized_y, coupling_array)}};
  if (!figure.member_x.empty()) object["member_x"] = figure.member_x;
  if (!figure.member_y.empty()) object["member_y"] = figure.member_y;
  if (!figure.columns.empty()) object["columns"] = list(figure.columns, figure_column_object);
  return object;
}

Json settings_object(const RunRecord& record) {
  Json object = Json::object();
  for (const auto& [name, value] : record.settings) {
    std::visit([&, &key = name](const auto& held) { object[key] = held; }, value);
  }
  return object;
}

/// Puts fields of any kind into an object; those that are empty or there already are left out.
class FieldWriter {
 public:
  explicit FieldWriter(Json& object) : object_(object) {}

  template <typename T>
  void operator()(const char* name, const T& value) const {
    if (Json field = json_of(value); !object_.contains(name) && !is_nothing(value)) {
      object_[name] = std::move(field);
    }
  }

 private:
  template <typename T>
  static bool is_nothing(const T& value) {
    if constexpr (requires { value.empty(); }) return value.empty();
    if constexpr (requires { value.has_value(); }) return !value.has_value();
    return false;
  }
  static Json json_of(bool value) { return value; }
  static Json json_of(double value) { return number(value); }
  static Json json_of(std::uint64_t value) { return value; }
  static Json json_of(const std::string& value) { return value; }
  static Json json_of(const Interval& value) { return interval(value); }
  static Json json_of(const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
  }
  static Json json_of(const std::optional<std::uint64_t>& value) {
    return value ? Json(*value) : Json(nullptr);
  }
  static Json json_of(const BoundsAtTime& value) {
    Json object = Json::object();
    visit_bounds(value, FieldWriter(object));
    return object;
  }
  static Json json_of(const ClusteringStart& value) {
    Json object = Json::object();
    visit_start(value, FieldWriter(object));
    return object;
  }
  static Json json_of(const ClusteringCandidate& value) {
    Json object = Json::object();
    visit_candidate(value, FieldWriter(object));
    return object;
  }
  static Json json_of(const std::vector<std::pair<std::string, double>>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = number(value);
    return object;
  }
  template <typename T>
  static Json json_of(const std::vector<T>& values) {
    return list(values, [](const T& value) { return json_of(value); });
  }

  Json& object_;
};

void put_transport(Json& root, const RunRecord& record) {
  if (record.transport) visit_transport(*record.transport, FieldWriter(root));
  if (record.pairs) visit_pairs(*record.pairs, FieldWriter(root));
  if (record.certificate) visit_certificate(*record.certificate, FieldWriter(root));
}

void put_learning(Json& root, const RunRecord& record) {
  root.update(adaptation_fields(record));
  if (record.clustering) visit_clustering(*record.clustering, FieldWriter(root));
  if (!record.generation) return;
  visit_generation(*record.generation, FieldWriter(root));
  if (record.generation->pi.size() == 2) {
    root["normalized_wasserstein"] = number(record.generation->total_distance());
  }
}

/// Nothing for objects, lists and null.
std::optional<SettingValue> scalar_of(const Json& value) {
  if (value.is_string()) {
    // Names come from users' files and may not be UTF-8.
    return Json::parse(value.dump(-1, ' ', false, Json::error_handler_t::replace))
        .get<std::string>();
  }
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return std::nullopt;
}

void put_extra(Json& root, const std::string& extra) {
  if (extra.empty()) return;
  const Json fields = Json::parse(extra, nullptr, /*allow_exceptions=*/false);
  require(fields.is_object(), "RunRecord.extra must be the text of a JSON object, got ", extra);
  for (const auto& [name, value] : fields.items()) {
    if (!root.contains(name)) root[name] = value;
  }
}

}  // namespace

std::vector<FurtherField> further_fields(const RunRecord& record) {
  Json root = Json::object();
  put_learning(root, record);
  put_transport(root, record);
  put_extra(root, record.extra);
  std::vector<FurtherField> fields;
  for (const auto& [name, value] : root.items()) {
    FurtherField field{.name = name};
    const Json list = value.is_array() ? value : Json::array({value});
    for (const Json& entry : list) {
      if (auto scalar = scalar_of(entry)) field.values.push_back(std::move(*scalar));
    }
    if (!list.empty() && field.values.size() == list.size()) fields.push_back(std::move(field));
  }
  return fields;
}

std::string to_json(const RunRecord& record, int indent) {
  record.validate();
  Json root = {{"schema", kSchema}, {"kind", to_string(record.kind)}};
  put(root, "command", record.command);
  put(root, "title", record.title);
  put(root, "sentence", record.sentence);
  if (record.distance) put_distance(root, *record.distance);
  if (record.compare) put_compare(root, *record.compare);
  if (record.mode_choice) put_mode_choice(root, *record.mode_choice);
  if (!record.details.empty()) root["details"] = record.details;
  if (!record.warnings.empty()) root["warnings"] = record.warnings;
  if (!record.data.empty()) {
    root["n"] = record.data[0].rows;
    if (record.data.size() > 1) root["m"] = record.data[1].rows;
    root["dim"] = record.data[0].columns;
    root["data"] = list(record.data, data_set_object);
  }
  if (!record.columns.empty()) root["columns"] = list(record.columns, column_object);
  if (!record.metrics.empty()) root["metrics"] = list(record.metrics, metric_object);
  if (!record.series.empty()) root["series"] = list(record.series, series_object);
  if (!record.pictures.empty()) root["pictures"] = list(record.pictures, picture_object);
  root["converged"] = record.converged;
  root["seconds"] = number(record.seconds);
  root["peak_rss_mb"] = number(record.peak_rss_mb);
  if (!record.seeds.empty()) root["seeds"] = record.seeds;
  put(root, "created", record.created);
  if (!record.settings.empty()) root["settings"] = settings_object(record);
  if (!record.versions.empty()) {
    root["versions"] = Json::object();
    for (const auto& [name, version] : record.versions) root["versions"][name] = version;
  }
  put_learning(root, record);
  put_transport(root, record);
  put_extra(root, record.extra);
  if (record.figure) root["figure"] = figure_object(*record.figure);
  // Names come from users' files and may not be UTF-8; a replacement mark beats a failed run.
  return root.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace nw::record
