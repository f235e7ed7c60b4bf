// Images side by side in one PNG: the sheets of tiles that load_points can cut up again.
#pragma once

#include <cstddef>
#include <string>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"

namespace nw::io {

/// A PNG file with the rows of `images` as tiles, `columns` in a row, the last row filled up with
/// black. Values are brightness in [0, 1] and are cut off beyond; `shape` has one or three
/// channels. Throws InvalidArgument when rows are not such images.
[[nodiscard]] std::string image_sheet(const MatrixView& images, const ImageShape& shape,
                                      std::size_t columns);

}  // namespace nw::io
