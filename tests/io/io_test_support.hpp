// Shared by the tests of io/: temporary folders, text as bytes, and messages of errors.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/io/points.hpp"

namespace nw::io::test {

/// A folder that is removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nw-io-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    const auto target = file(name);
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return target;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline PointSet parse(std::string_view text, const LoadOptions& options = {},
                      std::string_view name = "data.csv") {
  return parse_points(std::as_bytes(std::span(text)), name, options);
}

/// The message of the IoError that `action` throws; a failure when it throws none.
inline std::string io_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an IoError";
  return {};
}

inline std::string parse_error(std::string_view text, const LoadOptions& options = {},
                               std::string_view name = "data.csv") {
  return io_error([&] { static_cast<void>(parse(text, options, name)); });
}

}  // namespace nw::io::test
