// Class labels of points, and the files they come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nw::io {

/// One label per point. Labels that are all integers keep their value and `names` is empty.
/// Otherwise `names` holds the distinct texts in ASCII order and a value is an index into it.
struct Labels {
  std::vector<std::int32_t> values;
  std::vector<std::string> names;

  [[nodiscard]] std::size_t size() const noexcept { return values.size(); }
  /// The label of point `i` as text.
  [[nodiscard]] std::string name_of(std::size_t i) const;
};

/// Gives both sets one list of names, so that equal values mean equal labels. Integer labels
/// meeting text labels become text.
void unify(Labels& a, Labels& b);

/// Reads labels, one per point, from an idx file of one dimension, a one-dimensional NPY (integers,
/// whole numbers or text), or text with one label per line (a first line `label`, `labels`,
/// `class`, `target` or `y` is a header). Each of them may be gzipped. Throws IoError.
[[nodiscard]] Labels load_labels(const std::filesystem::path& path);

/// As load_labels, from bytes in memory. `name` stands for the file in messages.
[[nodiscard]] Labels parse_labels(std::span<const std::byte> bytes, std::string_view name);

}  // namespace nw::io
