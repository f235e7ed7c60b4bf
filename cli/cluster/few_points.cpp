#include "cli/cluster/few_points.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace nw::cli {

bool surely_few_points(const std::string& path) {
  constexpr int kMany = 500;
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kMostBytes) {
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  int line_ends = 0;
  bool first = true;
  for (char c = 0; file.get(c);) {
    const auto byte = static_cast<unsigned char>(c);
    const bool line_end = c == '\n' || c == '\r';
    // Archives and arrays have such bytes; a line of JSON may hold any number of points.
    if ((byte < 0x20 && !line_end && c != '\t') || (first && (c == '{' || c == '['))) return false;
    if (byte >= 0x80 && first) return false;
    first = first && (line_end || c == ' ' || c == '\t');
    line_ends += line_end ? 1 : 0;
    if (line_ends >= kMany) return false;
  }
  return true;
}

}  // namespace nw::cli
