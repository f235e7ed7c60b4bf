#include "app/compare/data_units.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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
  std::vector<std::string> labels;
  if (!inputs.encoding) return labels;
  constexpr std::size_t kShown = 3;
  const std::size_t dim = inputs.encoding->dimension();
  std::vector<double> mean(dim, 0.0);
  for (const auto& component : components) {
    const double mass = 0.5 * (component.mass_x + component.mass_y);
    for (std::size_t j = 0; j < dim; ++j) mean[j] += mass * component.centre[j];
  }
  const auto coordinates = inputs.encoding->coordinates();
  for (const auto& component : components) {
    std::vector<std::size_t> order(dim);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto distance = [&](std::size_t j) { return std::abs(component.centre[j] - mean[j]); };
    std::ranges::stable_sort(order, [&](auto a, auto b) { return distance(a) > distance(b); });
    const std::vector<double> values = inputs.encoding->to_units(component.centre);
    std::string label;
    std::vector<std::size_t> taken;
    for (const std::size_t j : order) {
      // One coordinate of a column says enough about it.
      if (std::ranges::find(taken, coordinates[j].column) != taken.end()) continue;
      taken.push_back(coordinates[j].column);
      label += (label.empty() ? "" : ", ") + coordinates[j].name + " " +
               inputs.encoding->shown(j, values[j]);
      if (taken.size() == kShown) break;
    }
    labels.push_back(label);
  }
  return labels;
}

std::vector<std::string> axis_names(const table::Inputs& inputs) {
  std::vector<std::string> names = inputs.x.column_names;
  if (!inputs.encoding || inputs.encoding->scale == table::Scale::none) return names;
  for (std::string& name : names) name += " (scaled)";
  return names;
}

}  // namespace nw::app
