// A page of one or more runs, from what they left on disk.
#pragma once

#include <span>
#include <string>

#include "nw/report/html_report.hpp"

namespace nw::app {

/// Writes `page`. Each of `runs` is a record file, or a run directory, which may still be at work.
/// Throws IoError, and InvalidArgument when there is no run.
void write_report(const std::string& page, std::span<const std::string> runs,
                  const report::HtmlOptions& options = {});

}  // namespace nw::app
