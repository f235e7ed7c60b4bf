#include "io/formats/table_points.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "io/column_choice.hpp"
#include "io/failure.hpp"
#include "io/label_column.hpp"
#include "io/readers.hpp"

namespace nw::io {
namespace {

std::string called(const RawColumn& column, std::size_t place) {
  return column.name.empty() ? concat("column ", place + 1) : concat("column ", shown(column.name));
}

/// Throws IoError unless every cell is a finite number.
void require_numbers(const RawTable& table, std::size_t place) {
  const RawColumn& column = table.columns[place];
  if (column.kind == CellKind::text) {
    const auto first = std::ranges::find_if(
        column.codes, [](std::uint32_t code) { return code != RawColumn::kMissing; });
    if (first == column.codes.end()) fail(table.source, called(column, place), " is empty");
    fail(table.source, called(column, place), " holds text, ", shown(column.levels[*first]),
         " in row ", first - column.codes.begin() + 1, "; choose the numeric columns");
  }
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (std::isfinite(column.numbers[i])) continue;
    fail(table.source, called(column, place), ", row ", i + 1,
         std::isnan(column.numbers[i]) ? ": the value is missing" : ": the value is infinite",
         "; remove the row or choose other columns");
  }
}

Labels labels_from(const RawTable& table, std::size_t place) {
  const RawColumn& column = table.columns[place];
  LabelColumn labels;
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (column.kind == CellKind::text) {
      if (column.codes[i] == RawColumn::kMissing) {
        fail(table.source, called(column, place), ", row ", i + 1, ": the label is missing");
      }
      labels.add(column.levels[column.codes[i]]);
      continue;
    }
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), column.numbers[i]);
    labels.add({text.data(), end.ptr});
  }
  return labels.finish();
}

}  // namespace

PointSet points_from_table(const RawTable& table, const LoadOptions& options) {
  std::vector<std::string> names;
  for (const RawColumn& column : table.columns) {
    if (table.has_names) names.push_back(column.name);
  }
  const ColumnChoice choice = choose_columns(options, table.columns.size(), names, table.source);
  PointSet points;
  points.source = table.source;
  points.values = Matrix(table.rows, choice.coordinates.size());
  for (std::size_t j = 0; j < choice.coordinates.size(); ++j) {
    const std::size_t place = choice.coordinates[j];
    require_numbers(table, place);
    for (std::size_t i = 0; i < table.rows; ++i) {
      points.values(i, j) = table.columns[place].numbers[i];
    }
    if (table.has_names) points.column_names.push_back(names[place]);
  }
  if (points.size() == 0 || points.dimension() == 0) fail(table.source, "holds no points");
  if (choice.label) points.labels = labels_from(table, *choice.label);
  if (choice.weight) {
    require_numbers(table, *choice.weight);
    points.weights = table.columns[*choice.weight].numbers;
    require_usable_weights(points.weights, table.source);
  }
  return points;
}

}  // namespace nw::io
