// What standard output can show.
#pragma once

#include "nw/report/text_style.hpp"

namespace nw::cli {

using report::wrapped;

/// Standard output of this process: 80 columns without colours unless it is a terminal. NO_COLOR
/// switches colours off (https://no-color.org).
[[nodiscard]] report::TextStyle standard_output();

}  // namespace nw::cli
