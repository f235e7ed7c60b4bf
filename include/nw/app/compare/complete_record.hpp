// What a record of clusters or of training says of the columns of its tables.
#pragma once

#include "nw/record/run_record.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// Adds what was made of the columns, calls the data sets by the rows they are, and turns centres
/// of clusters into units, each with a few words on where it lies. Arrays have no columns: their
/// record stays as it is.
void complete_record(const table::Inputs& inputs, record::RunRecord& record);

}  // namespace nw::app
