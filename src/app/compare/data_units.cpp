#include "app/compare/data_units.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

namespace nw::app {

void to_data_units(const table::Inputs& inputs, measure::CompareResult& result) {
  if (!inputs.encoding) return;
  for (measure::ComponentChange& component : result.components) {
    if (!component.shift.empty())
      component.shift = inputs.encoding->shift_to_units(component.centre, component.shift);
    for (measure::ColumnMove& move : component.columns_moved) {
      for (double* value : {&move.from, &move.to}) {
        std::vector<double> point = component.centre;
        point[move.coordinate] = *value;
        *value = inputs.encoding->to_units(point)[move.coordinate];
      }
    }
    component.centre = inputs.encoding->to_units(component.centre);
  }
  for (measure::PossibleMove& move : result.possible_moves) {
    for (measure::ColumnGap& gap : move.columns) {
      gap.from = result.components[move.gone].centre[gap.coordinate];
      gap.to = result.components[move.appeared].centre[gap.coordinate];
    }
  }
}

void add_columns(const table::Inputs& inputs, record::RunRecord& record) {
  for (const table::ColumnReport& column : inputs.description.columns) {
    record.columns.push_back({.name = column.name,
                              .kind = to_string(column.kind),
                              .used = column.used,
                              .reason = column.reason,
                              .notes = column.notes,
                              .missing_x = column.missing_x,
                              .missing_y = column.missing_y,
                              .missing_p = column.missing_p,
                              .missing_changed = column.missing_changed});
  }
  const std::vector<std::string> names = {inputs.description.x, inputs.description.y};
  for (std::size_t i = 0; i < record.data.size() && !inputs.description.empty(); ++i) {
    if (inputs.split) record.data[i].name = names[i];
  }
}

void complete_record(const table::Inputs& inputs, record::RunRecord& record) {
  add_columns(inputs, record);
  if (!inputs.description.advice.empty()) record.warnings.push_back(inputs.description.advice);
  if (!inputs.encoding) return;
  const table::Encoding& encoding = *inputs.encoding;
  if (record.clustering) {
    record::ClusteringSummary& found = *record.clustering;
    const auto names = encoding.place_names(found.centres, found.pi);
    for (std::size_t j = 0; j < found.centres.size(); ++j) {
      record.details.insert(record.details.begin() + static_cast<std::ptrdiff_t>(j),
                            concat("Cluster ", j + 1, " (", percent(found.pi[j]), "): ", names[j]));
      found.centres[j] = encoding.to_units(found.centres[j]);
    }
  }
  if (record.figure && encoding.scale != table::Scale::none) {
    const auto own = encoding.coordinate_names();
    for (record::FigureAxis& axis : record.figure->axes) {
      if (std::ranges::find(own, axis.name) != own.end()) axis.name += " (scaled)";
    }
  }
}

std::vector<std::string> axis_names(const table::Inputs& inputs) {
  std::vector<std::string> names = inputs.x.column_names;
  if (!inputs.encoding || inputs.encoding->scale == table::Scale::none) return names;
  for (std::string& name : names) name += " (scaled)";
  return names;
}

std::vector<std::uint32_t> column_of_coordinates(const table::Inputs& inputs) {
  std::vector<std::uint32_t> column_of;
  if (!inputs.encoding) return column_of;
  for (const table::Coordinate& coordinate : inputs.encoding->coordinates()) {
    column_of.push_back(static_cast<std::uint32_t>(coordinate.column));
  }
  return column_of;
}

namespace {

void set_change(const measure::ColumnChange& change, record::ColumnSummary& column) {
  column.change = change.change;
  column.change_between = change.change_between;
  column.change_within = change.change_within;
  column.change_p = change.p;
}

/// "sex = male" is level "male" of column "sex".
std::string level_of(const std::string& coordinate, const std::string& column) {
  if (coordinate == column) return {};
  const std::string text = coordinate.substr(std::min(column.size(), coordinate.size()));
  for (const std::string between : {" = ", " "}) {
    if (text.starts_with(between)) return text.substr(between.size());
  }
  return text;
}

}  // namespace

void name_columns(const table::Inputs& inputs, const measure::CompareResult& result,
                  record::RunRecord& record) {
  constexpr std::size_t kMostColumns = 100;  // of arrays: pixels have no story each
  if (!record.compare) return;
  const auto each_move = [&](const auto& name) {
    for (std::size_t j = 0; j < record.compare->components.size(); ++j) {
      auto& moves = record.compare->components[j].columns_moved;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        name(result.components[j].columns_moved[i], moves[i]);
      }
    }
    for (std::size_t j = 0; j < record.compare->possible_moves.size(); ++j) {
      auto& gaps = record.compare->possible_moves[j].columns;
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        name(result.possible_moves[j].columns[i], gaps[i]);
      }
    }
  };
  if (inputs.encoding) {
    const auto coordinates = inputs.encoding->coordinates();
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
      for (record::ColumnSummary& column : record.columns) {
        if (column.name == inputs.encoding->columns[c].name) set_change(result.columns[c], column);
      }
    }
    each_move([&](const auto& from, auto& to) {
      to.column = inputs.encoding->columns[from.column].name;
      to.level = level_of(coordinates[from.coordinate].name, to.column);
    });
    return;
  }
  const auto& names = inputs.x.column_names;
  const auto name_of = [&](std::size_t c) {
    return c < names.size() ? names[c] : std::to_string(c + 1);
  };
  each_move([&](const auto& from, auto& to) { to.column = name_of(from.coordinate); });
  if (!record.columns.empty() || result.columns.size() > kMostColumns) return;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    record::ColumnSummary& column = record.columns.emplace_back();
    column.name = name_of(c);
    column.kind = "numeric";
    set_change(result.columns[c], column);
  }
}

}  // namespace nw::app
