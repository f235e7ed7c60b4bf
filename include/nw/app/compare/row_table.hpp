// The rows that a comparison tested, as a table.
#pragma once

#include <span>
#include <string>

#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// One line per row that was tested: sample, row from 1, the member it most likely belongs to, how
/// much it looks like Y, its weight in the evidence, and whether it lies in a region that another
/// mix does not explain. `components` are those of the record; without a name a component goes by
/// its number.
[[nodiscard]] std::string row_table(const measure::CompareResult& result,
                                    std::span<const record::ComponentResult> components);

}  // namespace nw::app
