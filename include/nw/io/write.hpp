// Matrices, labels and weights to files that nw and NumPy read back bit for bit. Every function
// writes atomically (see atomic_file.hpp) and throws IoError when that fails.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

namespace nw::io {

/// What an NPY file or an array of an NPZ can be made of: f8 in two or one dimensions, i4, i8.
using ArrayView = std::variant<MatrixView, std::span<const double>, std::span<const std::int32_t>,
                               std::span<const std::int64_t>>;

struct NamedArray {
  std::string name;
  ArrayView values;
};

struct CsvOptions {
  char delimiter = ',';
  /// One per column, or empty for a file without header.
  std::vector<std::string> column_names = {};

  void validate() const;
};

/// Numbers are the shortest text that gives the same double again.
void write_csv(const std::filesystem::path& path, const MatrixView& values,
               const CsvOptions& options = {});
/// The coordinates, then `label` and `weight` where the set has them, with a header.
void write_csv(const std::filesystem::path& path, const PointSet& points);

/// A table of any columns with a header; missing cells are empty, texts are quoted where needed.
void write_csv(const std::filesystem::path& path, const RawTable& table);

void write_npy(const std::filesystem::path& path, const ArrayView& values);

/// `compressed` as numpy.savez_compressed does, otherwise as numpy.savez.
void write_npz(const std::filesystem::path& path, std::span<const NamedArray> arrays,
               bool compressed = true);

/// A PNG file of one grey or colour image, pixels by rows, channels last. Throws InvalidArgument
/// unless there are as many bytes as the shape says.
[[nodiscard]] std::string png_bytes(std::span<const std::uint8_t> pixels, const ImageShape& shape);
void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> pixels,
               const ImageShape& shape);

/// As write_npy, into memory.
[[nodiscard]] std::string npy_bytes(const ArrayView& values);

}  // namespace nw::io
