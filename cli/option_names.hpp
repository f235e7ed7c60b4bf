// Names of options: the library writes `label_column`, the command line has --label-column.
#pragma once

#include <string>

namespace nw::cli {

/// Replaces every `name` between backquotes by the option of that name.
[[nodiscard]] std::string with_option_names(const std::string& text);

}  // namespace nw::cli
