// Images as pictures of a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

namespace nw::record {

/// Several lines of images below each other, such as noisy ones and what was made of them.
struct ImageSheet {
  std::vector<Matrix> lines{};  ///< each row an image with values in [0, 1]; others are clipped
  io::ImageShape shape{};       ///< of one image: 1 or 3 channels, channels last
  std::size_t zoom = 2;         ///< pixels of the page for one of an image; positive
};

/// The sheet as a picture, images side by side with a gap of one pixel. Throws InvalidArgument when
/// a row is not an image or the lines differ in length.
[[nodiscard]] Picture draw_sheet(const ImageSheet& sheet, std::string title, std::string caption);

}  // namespace nw::record
