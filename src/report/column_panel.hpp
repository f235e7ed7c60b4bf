// Private: every column of a comparison at a glance.
#pragma once

#include <iosfwd>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Whether the record holds the columns of its drawn rows.
[[nodiscard]] bool has_column_panel(const record::RunRecord& record);

/// One entry per column, those that changed most first: its distribution in X and in Y, how much it
/// changed as a whole and within components, and what is missing. REQUIRES: has_column_panel.
void write_column_panel(std::ostream& out, const record::RunRecord& record);

}  // namespace nw::report
