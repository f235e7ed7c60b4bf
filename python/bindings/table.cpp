// Tables from Python: columns in, points and the way back to units out.
#include "bindings/table.hpp"

#include <pybind11/stl.h>

#include "bindings/parts.hpp"

namespace nw::python {
namespace {

using namespace py::literals;

/// A column as python/nw/_tables.py makes it: numbers, or codes of levels.
io::RawColumn column_from(const py::dict& given) {
  io::RawColumn column;
  column.name = given["name"].cast<std::string>();
  const auto kind = given["kind"].cast<std::string>();
  if (kind == "text") {
    column.kind = io::CellKind::text;
    column.levels = given["levels"].cast<std::vector<std::string>>();
    const auto codes =
        py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(given["codes"]);
    for (py::ssize_t i = 0; i < codes.size(); ++i) {
      const std::int64_t code = codes.data()[i];
      const bool missing = code < 0 || static_cast<std::size_t>(code) >= column.levels.size();
      column.codes.push_back(missing ? io::RawColumn::kMissing : static_cast<std::uint32_t>(code));
      column.missing += missing ? 1 : 0;
    }
    return column;
  }
  column.kind = kind == "boolean"     ? io::CellKind::boolean
                : kind == "timestamp" ? io::CellKind::timestamp
                                      : io::CellKind::number;
  const auto numbers =
      py::array_t<double, py::array::c_style | py::array::forcecast>(given["numbers"]);
  column.numbers.assign(numbers.data(), numbers.data() + numbers.size());
  for (const double value : column.numbers) column.missing += value != value ? 1 : 0;
  column.inexact = given.contains("inexact") && given["inexact"].cast<bool>();
  return column;
}

io::RawTable table_from(const py::list& columns, const std::string& name) {
  io::RawTable table;
  table.source = name;
  table.has_names = true;
  for (const py::handle entry : columns) {
    table.columns.push_back(column_from(py::cast<py::dict>(entry)));
    const io::RawColumn& column = table.columns.back();
    table.rows = column.numbers.size() + column.codes.size();
  }
  return table;
}

table::TableOptions options_of(const py::dict& given) {
  table::TableOptions options;
  options.columns = given["columns"].cast<std::vector<std::string>>();
  options.exclude = given["exclude"].cast<std::vector<std::string>>();
  options.count_column = given["count_column"].cast<std::string>();
  for (const auto& [column, kind] : given["types"].cast<std::map<std::string, std::string>>()) {
    const auto found = table::kind_from(kind);
    require(found.has_value(), "types: \"", kind, "\" for column \"", column,
            "\" is not one of numeric, integer, boolean, categorical, datetime, identifier, text");
    options.types.emplace_back(column, *found);
  }
  const auto missing = given["missing"].cast<std::string>();
  require(missing == "keep" || missing == "drop" || missing == "error", "missing: \"", missing,
          "\" is not one of keep, drop, error");
  options.missing = missing == "keep"   ? table::Missing::keep
                    : missing == "drop" ? table::Missing::drop
                                        : table::Missing::error;
  const auto scale = given["scale"].cast<std::string>();
  bool known = false;
  for (const auto candidate :
       {table::Scale::none, table::Scale::std, table::Scale::robust, table::Scale::rank}) {
    if (scale != to_string(candidate)) continue;
    options.scale = candidate;
    known = true;
  }
  require(known, "scale: \"", scale, "\" is not one of none, std, robust, rank");
  return options;
}

EncodedTables encode(const py::list& x, const std::optional<py::list>& y, const py::dict& given) {
  const io::RawTable first = table_from(x, "x");
  io::RawTable second;
  if (y) second = table_from(*y, "y");
  return {table::encode_tables(first, y ? &second : nullptr, options_of(given))};
}

py::list columns_of(const table::Description& description) {
  py::list columns;
  for (const auto& column : description.columns) {
    columns.append(py::dict("name"_a = column.name, "kind"_a = to_string(column.kind),
                            "used"_a = column.used, "reason"_a = column.reason,
                            "notes"_a = column.notes, "missing_x"_a = column.missing_x,
                            "missing_y"_a = column.missing_y, "missing_p"_a = column.missing_p,
                            "missing_changed"_a = column.missing_changed));
  }
  return columns;
}

}  // namespace

void add_table(py::module_& module) {
  py::class_<EncodedTables>(module, "EncodedTables")
      .def_property_readonly("x",
                             [](const EncodedTables& t) { return to_array(t.inputs.x.values); })
      .def_property_readonly("y",
                             [](const EncodedTables& t) { return to_array(t.inputs.y.values); })
      .def_property_readonly("names",
                             [](const EncodedTables& t) { return t.inputs.x.column_names; })
      .def_property_readonly(
          "columns", [](const EncodedTables& t) { return columns_of(t.inputs.description); })
      .def_property_readonly(
          "lines",
          [](const EncodedTables& t) { return table::summary_lines(t.inputs.description); })
      .def_property_readonly("json",
                             [](const EncodedTables& t) { return to_json(*t.inputs.encoding); })
      .def("to_units", [](const EncodedTables& t, const Points& points) {
        const MatrixView view = view_points(points);
        Matrix units(view.rows(), view.cols());
        for (std::size_t i = 0; i < view.rows(); ++i) {
          std::ranges::copy(t.inputs.encoding->to_units(view.row(i)), units.row(i).begin());
        }
        return to_array(units);
      });
  module.def("encode_tables", &encode, "x"_a, "y"_a, "options"_a);
}

}  // namespace nw::python
