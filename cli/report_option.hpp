// --report FILE of the commands that make a run record.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "nw/record/run_record.hpp"

namespace nw::cli {

/// Adds --report; `page` stays empty when it is not given.
void add_report_option(CLI::App& command, std::string& page);

/// Writes the record as a page, unless `page` is empty.
void write_page(const std::string& page, const record::RunRecord& record);

}  // namespace nw::cli
