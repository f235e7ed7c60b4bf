// What a command prints of its record.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

#include "cli/common_options.hpp"

namespace nw::cli {

/// The record as text for people; its answer alone under --quiet; nothing where JSON goes there.
void print_record(const CommonOptions& common, const record::RunRecord& record);

/// That the run in `folder` is finished already.
void print_finished_run(const CommonOptions& common, const std::string& folder);

}  // namespace nw::cli
