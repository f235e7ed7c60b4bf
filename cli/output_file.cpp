#include "cli/output_file.hpp"

#include <filesystem>
#include <iostream>

#include <unistd.h>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"

namespace nw::cli {

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const std::filesystem::path file(path);
  if (std::filesystem::is_directory(file))
    throw IoError(concat(path, ": cannot write: it is a folder"));
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder))
    throw IoError(concat(path, ": cannot write: there is no folder ", folder.string()));
  // A device or pipe is written in place; everything else is replaced, which needs the folder.
  const bool special = std::filesystem::exists(file) && !std::filesystem::is_regular_file(file);
  if (access(special ? file.c_str() : folder.c_str(), W_OK) != 0)
    throw IoError(concat(path, ": cannot write: permission denied"));
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
  } else {
    io::write_file_atomically(path, text);
  }
}

}  // namespace nw::cli
