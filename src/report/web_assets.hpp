// The scripts and styles of the page, put into the library by the build.
#pragma once

#include <string_view>

namespace nw::report {

/// Bundled scripts; empty when the build could not make them.
[[nodiscard]] std::string_view page_script() noexcept;
[[nodiscard]] std::string_view page_style() noexcept;

}  // namespace nw::report
