#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/record/run_record.hpp"

namespace nw::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

// JSON has no word for these; null is what every reader understands as "no number".
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

// Six digits are finer than any screen and halve the size of a page.
Json rounded(const std::vector<double>& values) {
  Json array = Json::array();
  char text[32];
  for (const double value : values) {
    if (!std::isfinite(value)) {
      array.push_back(nullptr);
      continue;
    }
    std::snprintf(text, sizeof text, "%.6g", value);
    array.push_back(std::strtod(text, nullptr));
  }
  return array;
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

Json intervals(const std::vector<Interval>& values) {
  Json array = Json::array();
  for (const Interval& value : values) array.push_back(interval(value));
  return array;
}

Json data_sets(const std::vector<DataSet>& data) {
  Json array = Json::array();
  for (const DataSet& set : data) {
    Json object = {{"name", set.name}};
    put(object, "path", set.path);
    object["rows"] = set.rows;
    object["columns"] = set.columns;
    if (!set.column_names.empty()) object["column_names"] = set.column_names;
    if (set.weighted) object["weighted"] = true;
    array.push_back(std::move(object));
  }
  return array;
}

void put_distance(Json& root, const DistanceResult& result) {
  root["distance"] = number(result.distance);
  root["method"] = result.method;
  put(root, "primal", result.primal);
  put(root, "dual", result.dual);
  put(root, "gap", result.gap);
}

Json component(const ComponentResult& result) {
  Json object = Json::object();
  put(object, "name", result.name);
  object["centre"] = numbers(result.centre);
  object["mass_x"] = number(result.mass_x);
  object["mass_y"] = number(result.mass_y);
  if (!result.shift.empty()) object["shift"] = numbers(result.shift);
  put(object, "shift_size", result.shift_size);
  put(object, "spread_change", result.spread_change);
  put(object, "contribution", result.contribution);
  put(object, "p", result.p);
  object["status"] = to_string(result.status);
  return object;
}

void put_compare(Json& root, const CompareResult& result) {
  root["wasserstein"] = number(result.wasserstein);
  root["normalized_wasserstein"] = number(result.normalized_wasserstein);
  put(root, "wasserstein_floor", result.wasserstein_floor);
  put(root, "normalized_floor", result.normalized_floor);
  root["k"] = result.k;
  root["pi_x"] = numbers(result.pi_x);
  root["pi_y"] = numbers(result.pi_y);
  root["pi_x_interval"] = intervals(result.pi_x_interval);
  root["pi_y_interval"] = intervals(result.pi_y_interval);
  put(root, "p_same", result.p_same);
  put(root, "p_components", result.p_components);
  root["verdict"] = to_string(result.verdict);
  root["components"] = Json::array();
  for (const ComponentResult& entry : result.components) {
    root["components"].push_back(component(entry));
  }
}

void put_mode_choice(Json& root, const ModeChoice& choice) {
  // A comparison may run with a k of the user's; k* is then what the curve would have chosen.
  if (!root.contains("k")) root["k"] = choice.k;
  root["k_star"] = choice.k;
  root["curve"] = Json::array();
  for (const CurvePoint& point : choice.curve) {
    Json object = {{"k", point.k}, {"nw", number(point.nw)}};
    put(object, "nw_low", point.nw_low);
    put(object, "nw_high", point.nw_high);
    put(object, "floor_low", point.floor_low);
    put(object, "floor_high", point.floor_high);
    root["curve"].push_back(std::move(object));
  }
  if (!choice.reasons.empty()) root["reasons"] = choice.reasons;
}

Json metrics_array(const std::vector<Metric>& metrics) {
  Json array = Json::array();
  for (const Metric& metric : metrics) {
    Json object = {{"name", metric.name}};
    put(object, "label", metric.label);
    object["value"] = number(metric.value);
    put(object, "interval", metric.interval);
    put(object, "expected", metric.expected);
    array.push_back(std::move(object));
  }
  return array;
}

Json series_array(const std::vector<Series>& series) {
  Json array = Json::array();
  for (const Series& line : series) {
    Json object = {{"name", line.name},
                   {"x_label", line.x_label},
                   {"y_label", line.y_label},
                   {"x", numbers(line.x)},
                   {"y", numbers(line.y)}};
    put(object, "chart", line.chart);
    array.push_back(std::move(object));
  }
  return array;
}

Json pictures_array(const std::vector<Picture>& pictures) {
  Json array = Json::array();
  for (const Picture& picture : pictures) {
    Json object = {{"title", picture.title}};
    put(object, "caption", picture.caption);
    object["width"] = picture.width;
    object["height"] = picture.height;
    object["png"] = picture.png;
    array.push_back(std::move(object));
  }
  return array;
}

Json points(const std::vector<FigurePoint>& list) {
  Json array = Json::array();
  for (const FigurePoint& point : list) array.push_back(rounded(point));
  return array;
}

Json couplings(const std::vector<FigureCoupling>& list) {
  Json array = Json::array();
  for (const FigureCoupling& coupling : list) {
    array.push_back(Json::array(
        {rounded(coupling.from), rounded(coupling.to), rounded({coupling.mass}).front()}));
  }
  return array;
}

Json figure_object(const Figure& figure) {
  Json axes = Json::array(), ellipses = Json::array();
  for (const FigureAxis& axis : figure.axes) {
    axes.push_back({{"name", axis.name}, {"variance_share", number(axis.variance_share)}});
  }
  for (const FigureEllipse& ellipse : figure.ellipses) {
    ellipses.push_back({{"component", ellipse.component},
                        {"centre", rounded(ellipse.centre)},
                        {"covariance", rounded(ellipse.covariance)}});
  }
  return {{"axes", axes},
          {"x", points(figure.x)},
          {"y", points(figure.y)},
          {"ellipses", ellipses},
          {"plain", couplings(figure.plain)},
          {"normalized_x", couplings(figure.normalized_x)},
          {"normalized_y", couplings(figure.normalized_y)}};
}

Json settings_object(const RunRecord& record) {
  Json object = Json::object();
  for (const auto& [name, value] : record.settings) {
    std::visit([&, &key = name](const auto& held) { object[key] = held; }, value);
  }
  return object;
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
    root["data"] = data_sets(record.data);
  }
  if (!record.metrics.empty()) root["metrics"] = metrics_array(record.metrics);
  if (!record.series.empty()) root["series"] = series_array(record.series);
  if (!record.pictures.empty()) root["pictures"] = pictures_array(record.pictures);
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
  put_extra(root, record.extra);
  if (record.figure) root["figure"] = figure_object(*record.figure);
  // Names come from users' files and may not be UTF-8; a replacement mark beats a failed run.
  return root.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace nw::record
