// Results of what learns as text: sentence, table or metrics, details and warnings.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// A table of classes. The record must have an adaptation.
[[nodiscard]] std::string adaptation_text(const record::RunRecord& record);

/// Metrics and proportions. The record must have a denoising.
[[nodiscard]] std::string denoising_text(const record::RunRecord& record);

/// Agreement with known classes, where there are any. The record must have a clustering.
[[nodiscard]] std::string clustering_text(const record::RunRecord& record);

/// A line for each warning.
[[nodiscard]] std::string warning_lines(const record::RunRecord& record);

}  // namespace nw::report
