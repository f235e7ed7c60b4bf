// What a picture says about its points: the columns of their rows, and where they belong.
#pragma once

#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/record/figure.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// Adds the columns of the rows that `figure` draws, in the units of the table. Nothing for arrays
/// and for more columns than a reader looks through.
void add_row_columns(const table::Inputs& inputs, record::Figure& figure);

/// Adds the component that each drawn point most likely belongs to.
void add_members(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                 const measure::NwResult& fit, record::Figure& figure);

}  // namespace nw::app
