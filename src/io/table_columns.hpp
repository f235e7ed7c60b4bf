// Private: what the columns of a binary table mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nw/io/points.hpp"

namespace nw::io {

/// Moves label and weight columns out of `points.values` and keeps the chosen coordinates, as
/// `options` say. Does nothing when they say nothing.
void take_columns(PointSet& points, const LoadOptions& options, const std::string& file);

/// [n, height, width] and [n, height, width, 1|3|4] are images, any other shape is not.
[[nodiscard]] std::optional<ImageShape> image_shape_of(const std::vector<std::uint64_t>& shape);

/// Labels from numbers, which must be whole. Throws IoError naming the first that is not.
[[nodiscard]] Labels labels_from_numbers(std::span<const double> numbers, const std::string& file);

}  // namespace nw::io
