#include "app/compare/data_units.hpp"

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

std::vector<std::string> axis_names(const table::Inputs& inputs) {
  std::vector<std::string> names = inputs.x.column_names;
  if (!inputs.encoding || inputs.encoding->scale == table::Scale::none) return names;
  for (std::string& name : names) name += " (scaled)";
  return names;
}

}  // namespace nw::app
