#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/table/encoding.hpp"

namespace nw::table {
namespace {

using Json = nlohmann::json;

Json to_object(const ColumnEncoding& column) {
  Json object{{"name", column.name},
              {"kind", to_string(column.kind)},
              {"edge", column.edge},
              {"place", column.place}};
  if (column.has_levels()) {
    object["levels"] = column.levels;
    object["other"] = column.other;
    object["missing"] = column.missing;
  } else {
    object["centre"] = column.centre;
    object["deviation"] = column.deviation;
    object["quantiles"] = column.quantiles;
    object["indicator"] = column.indicator;
    if (column.grid.step > 0.0) {
      object["grid"] = {{"origin", column.grid.origin}, {"step", column.grid.step}};
    }
  }
  return object;
}

ColumnEncoding from_object(const Json& object) {
  ColumnEncoding column;
  object.at("name").get_to(column.name);
  const auto kind = kind_from(object.at("kind").get<std::string>());
  if (!kind) throw IoError("kind " + object.at("kind").dump() + " is unknown");
  column.kind = *kind;
  object.at("edge").get_to(column.edge);
  object.at("place").get_to(column.place);
  if (column.has_levels()) {
    object.at("levels").get_to(column.levels);
    object.at("other").get_to(column.other);
    object.at("missing").get_to(column.missing);
    column.count = column.states() == 2 ? 1 : column.states();
  } else {
    object.at("centre").get_to(column.centre);
    object.at("deviation").get_to(column.deviation);
    object.at("quantiles").get_to(column.quantiles);
    object.at("indicator").get_to(column.indicator);
    if (object.contains("grid")) {
      object.at("grid").at("origin").get_to(column.grid.origin);
      object.at("grid").at("step").get_to(column.grid.step);
    }
    column.count = column.indicator ? 2 : 1;
    if (column.quantiles.size() < 2 || !(column.deviation > 0.0))
      throw IoError("column \"" + column.name + "\" has no quantiles or no deviation");
  }
  if (!(column.edge > 0.0) || column.count == 0)
    throw IoError("column \"" + column.name + "\" has no coordinates");
  return column;
}

}  // namespace

std::string to_json(const Encoding& encoding) {
  Json columns = Json::array();
  for (const ColumnEncoding& column : encoding.columns) columns.push_back(to_object(column));
  return Json{{"scale", to_string(encoding.scale)}, {"columns", columns}}.dump();
}

Encoding encoding_from_json(const std::string& text, const std::string& source) {
  try {
    const Json object = Json::parse(text);
    Encoding encoding;
    const auto scale = object.at("scale").get<std::string>();
    bool known = false;
    for (const Scale candidate : {Scale::none, Scale::std, Scale::robust, Scale::rank}) {
      if (scale != to_string(candidate)) continue;
      encoding.scale = candidate;
      known = true;
    }
    if (!known) throw IoError("scale \"" + scale + "\" is unknown");
    std::size_t next = 0;
    for (const Json& entry : object.at("columns")) {
      encoding.columns.push_back(from_object(entry));
      encoding.columns.back().first = next;
      next += encoding.columns.back().count;
    }
    return encoding;
  } catch (const Json::exception& error) {
    throw IoError(concat(source, ": not an encoding of columns: ", error.what()));
  } catch (const IoError& error) {
    throw IoError(concat(source, ": not an encoding of columns: ", error.what()));
  }
}

}  // namespace nw::table
