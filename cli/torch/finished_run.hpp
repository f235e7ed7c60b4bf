// A run that is asked to go on after its end.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

#include "cli/common_options.hpp"

namespace nw::cli {

/// Says that the run in `folder` is finished and gives its result once more. Returns an ExitCode.
[[nodiscard]] int repeat_finished_run(const std::string& folder, const CommonOptions& common);
/// The same with a record that was completed.
[[nodiscard]] int repeat_finished_run(const std::string& folder, const CommonOptions& common,
                                      const record::RunRecord& record);

}  // namespace nw::cli
