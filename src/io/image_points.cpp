// Points from images: sheets of tiles and folders.
#include <algorithm>
#include <optional>
#include <utility>

#include "io/failure.hpp"
#include "io/image.hpp"
#include "io/label_column.hpp"
#include "io/readers.hpp"

namespace nw::io {
namespace {

std::string text_of(const ImageShape& shape) {
  return concat(shape.width, " x ", shape.height, shape.channels == 1 ? " grey" : " colour");
}

/// Collects images, or their tiles, as rows.
class ImageRows {
 public:
  explicit ImageRows(const LoadOptions& options) : options_(options) {}

  /// Appends the points of one file. `files_left` counts this one: a guess of what is to come.
  void add(const ByteSource& source, std::size_t files_left) {
    const Pixels image =
        with_channels(decode_image(read_all(source), source.name()), options_.channels);
    if (options_.tiles.given()) {
      add_tiles(image, source.name(), files_left);
    } else {
      start(image.shape, source.name(), files_left);
      append_pixels(image, 0, 0, image.shape, options_.pixel_scale, values_);
      ++rows_;
    }
  }

  [[nodiscard]] bool complete() const {
    return options_.tiles.count != 0 && rows_ == options_.tiles.count;
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  PointSet finish(const std::string& name, const char* kind) {
    if (rows_ < options_.tiles.count) {
      fail(name, "has room for ", rows_, " tiles of ", options_.tiles.width, " x ",
           options_.tiles.height, ", not for ", options_.tiles.count);
    }
    PointSet points;
    points.values = Matrix(std::move(values_), rows_, dimension());
    points.image = shape_;
    points.source = concat(name, " (", kind, ")");
    return points;
  }

 private:
  [[nodiscard]] std::size_t dimension() const {
    return shape_->height * shape_->width * shape_->channels;
  }

  /// Every image must have the shape of the first.
  void start(const ImageShape& shape, const std::string& file, std::size_t rows_to_come) {
    if (!shape_) {
      shape_ = shape;
      first_file_ = file;
      values_.reserve(rows_to_come * dimension());
    } else if (*shape_ != shape) {
      fail(file, "is ", text_of(shape), ", but ", first_file_, " is ", text_of(*shape_),
           shape_->channels == shape.channels
               ? "; bring all images to one size"
               : "; ask for 1 or 3 channels to read grey and colour together");
    }
  }

  void add_tiles(const Pixels& sheet, const std::string& file, std::size_t files_left) {
    const TileGrid& tiles = options_.tiles;
    const ImageShape& size = sheet.shape;
    const std::size_t columns = tiles.columns != 0 ? tiles.columns : size.width / tiles.width;
    const bool fits = columns != 0 && columns <= size.width / tiles.width &&
                      (tiles.columns != 0 || size.width % tiles.width == 0) &&
                      size.height % tiles.height == 0;
    if (!fits) {
      fail(file, "is ", size.width, " x ", size.height, ", which is not a sheet of ",
           tiles.columns == 0 ? std::string() : concat(tiles.columns, " columns of "), tiles.width,
           " x ", tiles.height, " tiles; check the tile size");
    }
    const std::size_t places = columns * (size.height / tiles.height);
    const std::size_t wanted = tiles.count == 0 ? places : std::min(places, tiles.count - rows_);
    const ImageShape tile{tiles.height, tiles.width, size.channels};
    start(tile, file, tiles.count != 0 ? tiles.count : places * files_left);
    for (std::size_t i = 0; i < wanted; ++i) {
      append_pixels(sheet, i / columns * tiles.height, i % columns * tiles.width, tile,
                    options_.pixel_scale, values_);
    }
    rows_ += wanted;
  }

  const LoadOptions& options_;
  std::optional<ImageShape> shape_;
  std::string first_file_;
  std::vector<double> values_;
  std::size_t rows_ = 0;
};

bool is_image_name(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return suffix == ".png" || suffix == ".jpg" || suffix == ".jpeg";
}

/// Paths of the images below `folder`, relative to it, in ASCII order. Hidden files and folders and
/// files of other types are passed over.
std::vector<std::filesystem::path> images_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> images;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::recursive_directory_iterator();
       entries.increment(error)) {
    const bool hidden = entries->path().filename().string().starts_with('.');
    if (hidden) {
      entries.disable_recursion_pending();
    } else if (is_image_name(entries->path()) && !entries->is_directory()) {
      images.push_back(entries->path().lexically_relative(folder));
    }
  }
  if (error) fail(folder.string(), "cannot be listed: ", error.message());
  std::ranges::sort(images, {}, [](const auto& path) { return path.generic_string(); });
  return images;
}

bool in_subfolder(const std::filesystem::path& relative) {
  return relative.has_parent_path();
}

}  // namespace

PointSet read_sheet(const ByteSource& source, const LoadOptions& options) {
  if (!options.tiles.given()) {
    fail(source.name(),
         "is a single image; say how large its tiles are, or give a folder of images");
  }
  ImageRows rows(options);
  rows.add(source, 1);
  return rows.finish(source.name(), "sheet");
}

PointSet read_image_folder(const std::filesystem::path& folder, const LoadOptions& options) {
  const std::string name = folder.string();
  const auto images = images_below(folder);
  if (images.empty()) fail(name, "is a folder without .png, .jpg or .jpeg files");
  const bool classes = std::ranges::any_of(images, in_subfolder);
  if (classes) {
    const auto stray = std::ranges::find_if_not(images, in_subfolder);
    if (stray != images.end()) {
      fail(name, "has images in sub-folders, which name their class, and beside them (",
           stray->string(), "); put every image into the folder of its class");
    }
  }
  ImageRows rows(options);
  LabelColumn labels;
  for (std::size_t i = 0; i < images.size() && !rows.complete(); ++i) {
    const auto source = open_file(folder / images[i], options.max_unpacked_bytes);
    rows.add(*source, images.size() - i);
    const std::string class_name = images[i].begin()->string();
    while (classes && labels.size() < rows.rows()) labels.add(class_name);
  }
  PointSet points = rows.finish(name, options.tiles.given() ? "sheets" : "images");
  if (classes) points.labels = labels.finish();
  return points;
}

}  // namespace nw::io
