// Whether a file holds so few points that no method needs networks, without reading them.
#pragma once

#include <string>

namespace nw::cli {

/// True for a file of text with fewer than 500 lines; false when that is not certain: another
/// format, a pipe, which can be read but once, or nothing at all.
[[nodiscard]] bool surely_few_points(const std::string& path);

}  // namespace nw::cli
