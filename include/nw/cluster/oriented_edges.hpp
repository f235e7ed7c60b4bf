// What images show of strokes and outlines, whatever their exact place: features by which the
// nearest neighbours of an image are far more often of its kind than by pixels.
#pragma once

#include <cstddef>

#include "nw/base/matrix_view.hpp"

namespace nw::cluster {

/// Images as rows: by rows, then columns, channels last. Nothing: the rows are no images.
struct ImageGrid {
  std::size_t height = 0, width = 0, channels = 1;

  [[nodiscard]] std::size_t values() const noexcept { return height * width * channels; }
  [[nodiscard]] explicit operator bool() const noexcept { return values() > 0; }
  friend bool operator==(const ImageGrid&, const ImageGrid&) = default;
};

/// The smallest side of an image that has edges in several directions.
inline constexpr std::size_t kSmallestWithEdges = 8;
/// 8 directions at 7 x 7 places.
inline constexpr std::size_t kEdgeValues = 8 * 7 * 7;

/// Strength of edges in several directions around places of a grid, each image brought to length
/// one: [n, kEdgeValues]. An image without edges has zeros. The result does not depend on
/// `threads`; it does not depend on the scale of the pixels either, or on a constant added to them.
[[nodiscard]] Matrix oriented_edges(MatrixView images, const ImageGrid& grid, int threads = 0);

}  // namespace nw::cluster
