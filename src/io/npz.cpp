// NumPy's archives: a ZIP file of NPY files.
#include <algorithm>
#include <array>
#include <optional>

#include "nw/io/write.hpp"

#include "io/failure.hpp"
#include "io/npy_write.hpp"
#include "io/readers.hpp"
#include "io/table_columns.hpp"
#include "io/zip.hpp"

namespace nw::io {
namespace {

constexpr std::string_view kSuffix = ".npy";

class Archive {
 public:
  explicit Archive(const ByteSource& source) : source_(source) {
    for (ZipEntry& entry : read_zip_directory(source)) {
      if (!entry.name.ends_with(kSuffix)) continue;
      entry.name.resize(entry.name.size() - kSuffix.size());
      entries_.push_back(std::move(entry));
    }
    if (entries_.empty()) fail(source.name(), "holds no arrays (entries ending in .npy)");
  }

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != entries_.end(); }

  [[nodiscard]] std::unique_ptr<ByteStream> open(const std::string& key) const {
    const auto entry = find(key);
    if (entry == entries_.end()) {
      fail(source_.name(), "has no array ", shown(key), "; its arrays are ", keys());
    }
    return open_zip_entry(source_, *entry, concat(source_.name(), "[", key, "]"));
  }

  /// The array that holds the points when none is named.
  [[nodiscard]] std::string likely_points(const LoadOptions& options) const {
    std::vector<std::string> others;
    for (const ZipEntry& entry : entries_) {
      if (entry.name != options.label_column && entry.name != options.weight_column) {
        others.push_back(entry.name);
      }
    }
    if (others.size() == 1) return others.front();
    for (const char* key : {"X", "x", "data", "points"}) {
      if (std::ranges::find(others, key) != others.end()) return key;
    }
    fail(source_.name(),
         "holds several arrays, and none is called X, x, data or points; choose one "
         "of ",
         keys());
  }

 private:
  [[nodiscard]] std::vector<ZipEntry>::const_iterator find(std::string_view key) const {
    return std::ranges::find(entries_, key, &ZipEntry::name);
  }
  [[nodiscard]] std::string keys() const {
    constexpr std::size_t kShown = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(entries_.size(), kShown); ++i) {
      text += (i == 0 ? "" : ", ") + shown(entries_[i].name);
    }
    return entries_.size() > kShown ? text + ", ..." : text;
  }

  const ByteSource& source_;
  std::vector<ZipEntry> entries_;
};

void require_one_per_point(std::size_t count, const PointSet& points, const std::string& what) {
  if (count == points.size()) return;
  throw IoError(
      concat(what, " has ", count, " values for ", points.size(), " points of ", points.source));
}

}  // namespace

PointSet read_npz(const ByteSource& source, const LoadOptions& options) {
  const Archive archive(source);
  // A name that is not an array stands for a column of the table, as in CSV and NPY.
  LoadOptions columns = options;
  const bool label_array = archive.has(options.label_column);
  const bool weight_array = archive.has(options.weight_column);
  if (label_array) columns.label_column.clear();
  if (weight_array) columns.weight_column.clear();

  const std::string key = options.array.empty() ? archive.likely_points(options) : options.array;
  PointSet points = read_npy(*archive.open(key), columns);
  points.source = concat(source.name(), "[", key, "] (NPZ)");
  if (label_array) {
    points.labels = read_npy_labels(*archive.open(options.label_column));
    require_one_per_point(points.labels->size(), points,
                          concat(source.name(), "[", options.label_column, "]"));
  }
  if (weight_array) {
    const PointSet weights = read_npy(*archive.open(options.weight_column), {});
    const std::string name = concat(source.name(), "[", options.weight_column, "]");
    require_one_per_point(weights.size() * weights.dimension(), points, name);
    points.weights.assign(weights.values.values().begin(), weights.values.values().end());
    require_usable_weights(points.weights, name);
  }
  return points;
}

void write_npz(const std::filesystem::path& path, std::span<const NamedArray> arrays,
               bool compressed) {
  require(!arrays.empty(), "write_npz: no arrays given");
  write_file_atomically(path, [&](FileSink& sink) {
    ZipWriter zip(sink);
    for (const NamedArray& array : arrays) {
      const std::string header = npy_header(array.values);
      zip.add(array.name + std::string(kSuffix), {header, raw_bytes(array.values)}, compressed);
    }
    zip.finish();
  });
}

}  // namespace nw::io
