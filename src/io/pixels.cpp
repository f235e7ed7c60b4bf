#include "nw/io/pixels.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"

namespace nw::io {

void bring_pixels_to_unit(PointSet& images) {
  double greatest = 0.0;
  for (const double value : images.values.values()) {
    if (!(value >= 0.0 && value <= 255.0) || value != std::floor(value)) return;
    greatest = std::max(greatest, value);
  }
  if (greatest <= 1.0) return;
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (double& value : images.values.row(i)) value /= 255.0;
  }
}

void require_unit_pixels(const PointSet& images) {
  constexpr double kRounding = 1e-6;
  const auto [least, greatest] = std::ranges::minmax(images.values.values());
  if (least >= -kRounding && greatest <= 1.0 + kRounding) return;
  throw IoError(concat(images.source, ": its pixels lie between ", least, " and ", greatest,
                       "; give whole numbers from 0 to 255, or numbers from 0 to 1"));
}

}  // namespace nw::io
