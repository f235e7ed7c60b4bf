// What a component is called: the columns in which it stands out, in the units of the data.
#pragma once

#include <string>
#include <vector>

#include "nw/measure/compare.hpp"
#include "nw/record/component_name.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// A short name for each component: "species = Gentoo, body_mass_g ≈ 5100". The first column is the
/// one in which the component differs most from all rows; the next ones set it apart from the
/// components that share the first. Components are still in coordinates. Empty unless the data were
/// a table.
[[nodiscard]] std::vector<record::ComponentName> component_names(
    const table::Inputs& inputs, const std::vector<measure::ComponentChange>& components);

/// Components that are given classes are called what these are.
[[nodiscard]] std::vector<record::ComponentName> names_of_classes(
    const std::vector<std::string>& classes);

}  // namespace nw::app
