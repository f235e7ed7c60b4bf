// Whether a file holds a table, for which no method needs networks, without reading all of it.
#pragma once

#include <string>

namespace nw::app {

/// True for a file that begins with text, or with the first bytes of a table's format; false when
/// that is not certain: arrays of more axes and archives, which may hold images, a pipe, which can
/// be read but once, or nothing at all.
[[nodiscard]] bool surely_a_table(const std::string& path);

}  // namespace nw::app
