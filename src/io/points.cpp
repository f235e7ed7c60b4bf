#include "nw/io/points.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "nw/io/load_input.hpp"

#include "io/failure.hpp"
#include "io/formats/read_table.hpp"
#include "io/formats/table_points.hpp"
#include "io/readers.hpp"

namespace nw::io {
namespace {

/// `located` is where and what the input is.
PointSet read_points(const ByteSource& source, const Located& located, const LoadOptions& options) {
  switch (located.format) {
    case Format::csv:
      return read_csv(*open_located(source, located), options);
    case Format::npy:
      return read_npy(*open_located(source, located), options);
    case Format::idx:
      return read_idx(*open_located(source, located), options);
    case Format::npz:
      return read_npz(source, options);
    case Format::png:
    case Format::jpeg:
      return read_sheet(source, options);
    case Format::image_folder:
      fail(source.name(), "is a file where a folder of images is expected");
    default:
      return points_from_table(read_table(source, located, options), options);
  }
}

/// What a file's name says about how to read it.
void heed_suffix(const ByteSource& source, const Located& located, LoadOptions& options) {
  if (options.delimiter == '\0' && located.plain_name_in(source).ends_with(".tsv")) {
    options.delimiter = '\t';
  }
}

PointSet read_source(const ByteSource& source, LoadOptions options) {
  const Located located = locate(source, options);
  heed_suffix(source, located, options);
  return read_points(source, located, options);
}

void add_labels(PointSet& points, const LoadOptions& options) {
  if (options.labels_file.empty()) return;
  if (points.labels) {
    fail(options.labels_file.string(), "labels points that ", points.source,
         " has labelled already by its sub-folders");
  }
  points.labels = load_labels(options.labels_file);
  if (points.labels->size() == points.size()) return;
  fail(options.labels_file.string(), "has ", points.labels->size(), " labels for ", points.size(),
       " points of ", points.source, "; give one label per point");
}

/// Blocks together with the file they come from.
class FileBlocks : public TableBlocks {
 public:
  FileBlocks(std::unique_ptr<ByteSource> source, std::unique_ptr<TableBlocks> blocks)
      : source_(std::move(source)), blocks_(std::move(blocks)) {}
  std::optional<RawTable> next(std::size_t cells) override { return blocks_->next(cells); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<TableBlocks> blocks_;  // goes first
};

LoadedInput read_input(const ByteSource& source, LoadOptions options) {
  const Located located = locate(source, options);
  heed_suffix(source, located, options);
  LoadedInput input;
  if (is_table_format(located.format)) {
    input.table = read_table(source, located, options);
  } else {
    input.points = read_points(source, located, options);
    add_labels(*input.points, options);
  }
  return input;
}

}  // namespace

void LoadOptions::validate() const {
  require(delimiter != '"' && delimiter != '\n' && delimiter != '\r',
          "LoadOptions.delimiter must not be a quote or a line end");
  require(labels_file.empty() || label_column.empty(),
          "LoadOptions.labels_file and label_column exclude each other, got ", labels_file.string(),
          " and ", label_column);
  require(channels == 0 || channels == 1 || channels == 3,
          "LoadOptions.channels must be 0, 1 or 3, got ", channels);
  require((tiles.width == 0) == (tiles.height == 0),
          "LoadOptions.tiles needs width and height, got ", tiles.width, " x ", tiles.height);
  require(tiles.given() || (tiles.columns == 0 && tiles.count == 0),
          "LoadOptions.tiles.columns and count need a tile size");
  require(threads >= 0 && threads <= 1024, "LoadOptions.threads must lie in [0, 1024], got ",
          threads);
  require(max_unpacked_bytes > 0, "LoadOptions.max_unpacked_bytes must be > 0");
}

LoadedInput load_input(const std::filesystem::path& path, const LoadOptions& options) {
  options.validate();
  if (std::error_code none; std::filesystem::is_directory(path, none)) {
    return {.table = {}, .points = load_points(path, options)};
  }
  return read_input(*open_file(path, options.max_unpacked_bytes), options);
}

OpenedInput open_input(const std::filesystem::path& path, const LoadOptions& options) {
  options.validate();
  OpenedInput input;
  if (std::error_code none; std::filesystem::is_directory(path, none)) {
    input.points = load_points(path, options);
    return input;
  }
  auto source = open_file(path, options.max_unpacked_bytes);
  LoadOptions reading = options;
  const Located located = locate(*source, reading);
  heed_suffix(*source, located, reading);
  if (!is_table_format(located.format)) {
    input.points = read_points(*source, located, reading);
    add_labels(*input.points, reading);
    return input;
  }
  auto blocks = open_table(*source, located, reading);
  input.table = std::make_unique<FileBlocks>(std::move(source), std::move(blocks));
  return input;
}

LoadedInput parse_input(std::span<const std::byte> bytes, std::string_view name,
                        const LoadOptions& options) {
  options.validate();
  return read_input(*view_memory(bytes, std::string(name)), options);
}

PointSet load_points(const std::filesystem::path& path, const LoadOptions& options) {
  options.validate();
  PointSet points;
  if (std::error_code none; std::filesystem::is_directory(path, none)) {
    if (options.format != Format::automatic && options.format != Format::image_folder) {
      fail(path.string(), "is a folder where a file is expected");
    }
    points = read_image_folder(path, options);
  } else {
    points = read_source(*open_file(path, options.max_unpacked_bytes), options);
  }
  add_labels(points, options);
  return points;
}

PointSet parse_points(std::span<const std::byte> bytes, std::string_view name,
                      const LoadOptions& options) {
  options.validate();
  PointSet points = read_source(*view_memory(bytes, std::string(name)), options);
  add_labels(points, options);
  return points;
}

void require_same_dimension(const PointSet& x, const PointSet& y) {
  if (x.dimension() == y.dimension()) return;
  throw IoError(concat(x.source, " has points of dimension ", x.dimension(), ", ", y.source,
                       " of dimension ", y.dimension(),
                       "; choose columns so that both have the same"));
}

void require_usable_weights(const std::vector<double>& weights, const std::string& file) {
  if (weights.empty()) return;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0.0) {
      fail(file, "the weight of row ", i + 1, " is ", weights[i],
           "; weights must be finite and not negative");
    }
  }
  if (std::ranges::all_of(weights, [](double w) { return w == 0.0; })) {
    fail(file, "all ", weights.size(), " weights are zero");
  }
}

}  // namespace nw::io
