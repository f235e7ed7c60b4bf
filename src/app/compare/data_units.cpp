#include "app/compare/data_units.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

namespace nw::app {

void to_data_units(const table::Inputs& inputs, std::vector<measure::ComponentChange>& components) {
  if (!inputs.encoding) return;
  for (measure::ComponentChange& component : components) {
    if (!component.shift.empty())
      component.shift = inputs.encoding->shift_to_units(component.centre, component.shift);
    component.centre = inputs.encoding->to_units(component.centre);
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
    if (names[i].find(" = ") != std::string::npos) record.data[i].name = names[i];
  }
}

std::vector<std::string> component_labels(const table::Inputs& inputs,
                                          const std::vector<measure::ComponentChange>& components) {
  if (!inputs.encoding) return {};
  std::vector<std::vector<double>> places;
  std::vector<double> mass;
  for (const auto& component : components) {
    places.push_back(component.centre);
    mass.push_back(0.5 * (component.mass_x + component.mass_y));
  }
  return inputs.encoding->place_names(places, mass);
}

void complete_record(const table::Inputs& inputs, record::RunRecord& record) {
  add_columns(inputs, record);
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

}  // namespace nw::app
