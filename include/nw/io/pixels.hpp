// Pixels between 0 and 1, the scale that every network for images expects.
#pragma once

#include "nw/io/points.hpp"

namespace nw::io {

/// Images of whole numbers up to 255 are bytes, whatever type held them: they are divided by 255 as
/// those of idx are. Images of zeros and ones alone are there already, and others stay as they are.
void bring_pixels_to_unit(PointSet& images);

/// Throws IoError with the file and the range of its pixels when some lie outside 0..1: cut off
/// there, an image would be black and white.
void require_unit_pixels(const PointSet& images);

}  // namespace nw::io
