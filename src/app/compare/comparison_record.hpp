// The rows that a comparison tested, as a table.
#pragma once

#include <string>

#include "nw/measure/compare.hpp"

namespace nw::app {

/// One line per row that was tested: sample, row from 1, how much it looks like Y, and whether it
/// lies in a region that another mix does not explain.
[[nodiscard]] std::string row_table(const measure::CompareResult& result);

}  // namespace nw::app
