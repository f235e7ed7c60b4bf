// What a comparison reports, for the command, the Python module and the page alike.
#pragma once

#include <string>
#include <vector>

#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// Fills sentence, details, comparison, metrics, settings and time of `record`. `names` are those
/// of the components: the classes of X where they are known; empty: components go by their number.
void add_comparison(const measure::CompareResult& result, const measure::CompareOptions& options,
                    const std::vector<std::string>& names, record::RunRecord& record);

/// One line per row that was tested: sample, row from 1, the member it most likely belongs to, how
/// much it looks like Y, its weight in the evidence, and whether it lies in a region that another
/// mix does not explain. `names` are those of the components, as above.
[[nodiscard]] std::string row_table(const measure::CompareResult& result,
                                    const std::vector<std::string>& names);

}  // namespace nw::app
