// Pictures as PNG files.
#pragma once

#include <string>

namespace nw::report {

/// Throws IoError that names the package to install unless pictures can be written as PNG: called
/// before long work.
void require_png();

/// The PNG file of an SVG picture, of twice its size, on white. The drawing is done by rsvg-convert
/// of librsvg, a program that this runs: its library would bring a font and text engine into every
/// installation for one option. Throws IoError where it fails.
[[nodiscard]] std::string png_of(const std::string& svg);

}  // namespace nw::report
