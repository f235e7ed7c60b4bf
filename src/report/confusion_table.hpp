// Private: which classes a classifier takes for which, as a table whose cells are shaded.
#pragma once

#include <iosfwd>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Whether the record has confusions of few enough classes to be read as a table.
[[nodiscard]] bool has_confusion(const record::RunRecord& record);

/// `record` must have confusions.
void write_confusion(std::ostream& out, const record::RunRecord& record);

}  // namespace nw::report
