// Names of options: the library writes `label_column`, the command line has --label-column.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

namespace nw::cli {

/// Replaces every `name` between backquotes by the option of that name.
[[nodiscard]] std::string with_option_names(const std::string& text);

/// The same in what a record says to people.
void name_options(record::RunRecord& record);

}  // namespace nw::cli
