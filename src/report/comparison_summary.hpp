// Private: the sentences that sum a comparison up.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"
#include "nw/report/comparison_in_words.hpp"

namespace nw::report {

/// Significant, but shown to be too small to count.
[[nodiscard]] bool small_only(const record::CompareResult& result);

/// What changed, by the names of `story`'s sides.
[[nodiscard]] std::string summary_of(const record::RunRecord& record,
                                     const ComparisonInWords& story);

}  // namespace nw::report
