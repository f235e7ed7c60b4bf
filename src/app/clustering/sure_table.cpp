#include "nw/app/clustering/sure_table.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace nw::app {
namespace {

/// An array of NumPy's with at most two axes: its header tells the shape as Python writes a tuple.
bool is_flat_array(const std::string& start) {
  constexpr const char* kShape = "'shape': (";
  const auto shape = start.find(kShape);
  const auto end = start.find(')', shape);
  if (!start.starts_with("\x93NUMPY") || shape == std::string::npos || end == std::string::npos) {
    return false;
  }
  const std::string axes = start.substr(shape, end - shape);
  // (5,) has one axis and (5, 2) two.
  return std::count(axes.begin(), axes.end(), ',') == 1;
}

}  // namespace

bool surely_a_table(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4096> start{};
  file.read(start.data(), start.size());
  const std::string text(start.data(), static_cast<std::size_t>(file.gcount()));
  if (text.starts_with("PAR1") || text.starts_with("ARROW1")) return true;
  if (text.starts_with("\x93NUMPY")) return is_flat_array(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // Bytes below blanks that no text has; those beyond ASCII are letters.
    if (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') return false;
  }
  return !text.empty() && static_cast<unsigned char>(text[0]) < 0x80;
}

}  // namespace nw::app
