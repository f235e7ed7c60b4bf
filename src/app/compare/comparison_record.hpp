// The rows that a comparison tested, as a table.
#pragma once

#include <string>
#include <vector>

#include "nw/measure/compare.hpp"

namespace nw::app {

/// One line per row that was tested: sample, row from 1, the member it most likely belongs to, how
/// much it looks like Y, its weight in the evidence, and whether it lies in a region that another
/// mix does not explain. `names` are those of the components: the classes of X where they are
/// known; empty: components go by their number.
[[nodiscard]] std::string row_table(const measure::CompareResult& result,
                                    const std::vector<std::string>& names);

}  // namespace nw::app
