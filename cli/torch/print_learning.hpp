// What commands that learn print.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

#include "cli/common_options.hpp"

namespace nw::cli {

/// A table of classes; proportions alone under --quiet. `record` must hold an adaptation.
void print_adaptation(const CommonOptions& common, const record::RunRecord& record);

/// Metrics and proportions; the error alone under --quiet. `record` must hold a denoising.
void print_denoising(const CommonOptions& common, const record::RunRecord& record);

/// That the run in `folder` is finished already.
void print_finished_run(const std::string& folder, const CommonOptions& common);

}  // namespace nw::cli
