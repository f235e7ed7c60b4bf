// Results in the units and names of the data, where the data were a table.
#pragma once

#include <string>
#include <vector>

#include "nw/app/compare/complete_record.hpp"
#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// The column of every coordinate, as CompareOptions::column_of takes it; empty for arrays.
[[nodiscard]] std::vector<std::uint32_t> column_of_coordinates(const table::Inputs& inputs);

/// Says in `record`, which has the columns already, how each changed, and names the columns in
/// which components moved. Arrays get columns of their own here, up to a hundred.
void name_columns(const table::Inputs& inputs, const measure::CompareResult& result,
                  record::RunRecord& record);

/// Turns centres, shifts and moved columns of components from coordinates into units: amounts, and
/// shares of levels.
void to_data_units(const table::Inputs& inputs, measure::CompareResult& result);

/// Adds what was made of the columns, and calls the data sets by the rows they are.
void add_columns(const table::Inputs& inputs, record::RunRecord& record);

/// Names of coordinates for the axes of a picture.
[[nodiscard]] std::vector<std::string> axis_names(const table::Inputs& inputs);

}  // namespace nw::app
