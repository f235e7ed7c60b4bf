// The story of a comparison as text.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"
#include "nw/report/text_style.hpp"

namespace nw::report {

/// Headline, summary, table of components, evidence and details. The record must have a comparison.
[[nodiscard]] std::string comparison_text(const record::RunRecord& record, const TextStyle& style);

}  // namespace nw::report
