// Pictures as PNG files.
#pragma once

#include <string>

namespace nw::cli {

/// Throws IoError that names the package to install unless pictures can be written as PNG: called
/// before long work.
void require_png();

/// Writes an SVG picture as a PNG file of twice its size, on white. The drawing is done by
/// rsvg-convert of librsvg, a program that this command runs: its library would bring a font and
/// text engine into every installation for one option. Throws IoError where it fails.
void write_png(const std::string& path, const std::string& svg);

}  // namespace nw::cli
