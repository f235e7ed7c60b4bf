// Private: target rows that a classifier and the same one without adaptation take for different
// classes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nw/adapt/prediction.hpp"
#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

struct Disagreement {
  std::size_t row = 0;                      ///< of the target, from 0
  std::int64_t unadapted = 0, adapted = 0;  ///< the classes that they give
  double sure = 0.0;                        ///< the smaller of their probabilities for these
};

/// All rows of different classes, those first that both classifiers are surest of.
[[nodiscard]] std::vector<Disagreement> disagreements(const adapt::Prediction& plain,
                                                      const adapt::Prediction& adapted);

/// One sentence with how many of `rows` there are and the first few by their numbers from 1; empty
/// without any.
[[nodiscard]] std::string describe(const std::vector<Disagreement>& differing, std::size_t rows,
                                   const std::vector<std::string>& names);

/// Small copies of images as bytes, for a page: features and networks' inputs do not show them.
struct Thumbnails {
  io::ImageShape shape = {};         ///< 0 x 0: there are none
  std::vector<std::uint8_t> pixels;  ///< of the kept images, one after the other
  std::size_t every = 1;             ///< images from one that is kept to the next

  [[nodiscard]] bool holds(std::size_t row) const noexcept {
    return shape.height > 0 && row % every == 0;
  }
};

/// Images of at most 64 pixels a side, evenly spread so that they fit into `most_bytes`. None for
/// tables, and for images that are neither grey nor coloured.
[[nodiscard]] Thumbnails thumbnails_of(const io::PointSet& images,
                                       std::size_t most_bytes = std::size_t{1} << 28);

/// A sheet with a line for each of the most frequent pairs of answers, the surest images first.
/// Throws InvalidArgument where no image is kept of any of these rows; ask has_pictures().
[[nodiscard]] record::Picture draw_disagreements(const std::vector<Disagreement>& differing,
                                                 const Thumbnails& images,
                                                 const std::vector<std::string>& names);
[[nodiscard]] bool has_pictures(const std::vector<Disagreement>& differing,
                                const Thumbnails& images);

}  // namespace nw::app
