// Points from files: the one way data enters nw. docs/inputs.md describes every format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/labels.hpp"

namespace nw::io {

/// How the bytes of an input are to be read.
enum class Format {
  automatic,
  csv,
  json,  ///< an array of objects, or JSON lines
  arff,
  parquet,
  arrow,  ///< Arrow IPC file or stream, Feather version 2
  xlsx,
  npy,
  npz,
  idx,
  png,
  jpeg,
  image_folder,
};

/// Whether the first record of a table names the columns.
enum class Header { automatic, present, absent };

/// The range that the bytes 0..255 of a pixel are mapped to.
enum class PixelScale { unit, byte };

/// Shape of one image. A row of the matrix holds it by rows, then columns, channels last.
struct ImageShape {
  std::size_t height = 0, width = 0, channels = 0;
  friend bool operator==(const ImageShape&, const ImageShape&) = default;
};

/// How a sheet is cut into tiles, row by row. A tile size of 0 x 0 means: not a sheet.
struct TileGrid {
  std::size_t width = 0, height = 0;
  std::size_t columns = 0;  ///< tiles in a row; 0: as many as fit
  std::size_t count = 0;    ///< tiles to take, over all sheets of a folder; 0: every place

  [[nodiscard]] bool given() const noexcept { return width != 0 || height != 0; }
};

/// Points and everything the file said about them.
struct PointSet {
  Matrix values;                          ///< one row per point; finite; at least 1 x 1
  std::vector<std::string> column_names;  ///< one per column of `values`, or empty
  std::optional<Labels> labels;
  std::vector<double> weights;      ///< one per point, >= 0, not all zero; empty: equal weights
  std::optional<ImageShape> image;  ///< when every row is an image
  std::string source;               ///< for messages and reports: file name and format

  [[nodiscard]] std::size_t size() const noexcept { return values.rows(); }
  [[nodiscard]] std::size_t dimension() const noexcept { return values.cols(); }
};

/// What to take from an input and how. The defaults suit every file that explains itself.
struct LoadOptions {
  /// Leave alone unless recognition by content, then suffix, gets it wrong.
  Format format = Format::automatic;

  /// CSV: the character between cells; '\0' finds it (comma, tab, semicolon, bar or blanks).
  char delimiter = '\0';
  /// CSV: `automatic` takes the first record for names if it has text above a number and no number.
  Header header = Header::automatic;
  /// CSV and NPY tables: the coordinates, as names, numbers from 1, or ranges such as "2-5". Empty
  /// takes all columns that are neither label nor weight.
  std::vector<std::string> columns = {};
  /// CSV, NPY: column (name or number from 1) with the class of each point. NPZ: name of an array.
  std::string label_column = {};
  /// As label_column, for non-negative weights.
  std::string weight_column = {};
  /// NPZ: name of the array with the points. Empty: the only array, or the one called X, x, data
  /// or points.
  std::string array = {};
  /// A label file beside the points; see load_labels. Not together with label_column.
  std::filesystem::path labels_file = {};

  /// Pixels of PNG, JPEG, idx images and bytes in NPY arrays shaped as images go to 0..1, or keep
  /// 0..255. Other numbers are never changed.
  PixelScale pixel_scale = PixelScale::unit;
  /// Images: 1 turns colour into grey (Rec. 601), 3 grey into colour; 0 keeps what the file has.
  std::size_t channels = 0;
  /// Cuts every image into tiles, each of them a point.
  TileGrid tiles = {};

  /// Threads that parse a CSV; 0: every core. The result does not depend on it.
  int threads = 0;
  /// Largest size, unpacked, of gzipped text and of text from a pipe, whose size nothing announces.
  std::uint64_t max_unpacked_bytes = std::uint64_t{4} << 30;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Reads points from a file or folder. Throws IoError with file, place and value when the input is
/// not what it should be: missing, truncated, ragged, not finite, of the wrong type.
[[nodiscard]] PointSet load_points(const std::filesystem::path& path,
                                   const LoadOptions& options = {});

/// As load_points for a file, from bytes in memory. `name` stands for the file in messages, and its
/// suffix counts as the file's would.
[[nodiscard]] PointSet parse_points(std::span<const std::byte> bytes, std::string_view name,
                                    const LoadOptions& options = {});

/// Joins sets of one dimension into one, in order: the sheets of a data set, for example. Labels
/// and weights must be there for all or for none. Throws IoError naming the two that do not fit.
[[nodiscard]] PointSet concatenate(std::vector<PointSet> parts);

/// Throws IoError naming both sources and dimensions unless the points live in one space.
void require_same_dimension(const PointSet& x, const PointSet& y);

}  // namespace nw::io
