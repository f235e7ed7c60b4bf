// Private: one reader per format, each from a stream or source of bytes to points.
#pragma once

#include <filesystem>
#include <string>

#include "nw/io/points.hpp"

#include "io/byte_source.hpp"
#include "io/byte_stream.hpp"

namespace nw::io {

/// Packed streams announce no size: they are cut off at options.max_unpacked_bytes.
[[nodiscard]] PointSet read_csv(ByteStream& stream, const LoadOptions& options);
/// The only column of a table, or the one called label, labels, class, target or y.
[[nodiscard]] Labels read_label_table(ByteStream& stream, const LoadOptions& options);
[[nodiscard]] PointSet read_npy(ByteStream& stream, const LoadOptions& options);
/// One dimension of integers, whole numbers or text.
[[nodiscard]] Labels read_npy_labels(ByteStream& stream);
[[nodiscard]] PointSet read_npz(const ByteSource& source, const LoadOptions& options);
[[nodiscard]] PointSet read_idx(ByteStream& stream, const LoadOptions& options);

/// A sheet of tiles; `options.tiles` says how it is cut.
[[nodiscard]] PointSet read_sheet(const ByteSource& source, const LoadOptions& options);
[[nodiscard]] PointSet read_image_folder(const std::filesystem::path& folder,
                                         const LoadOptions& options);

/// Throws IoError unless the weights are finite, not negative and not all zero.
void require_usable_weights(const std::vector<double>& weights, const std::string& file);

}  // namespace nw::io
