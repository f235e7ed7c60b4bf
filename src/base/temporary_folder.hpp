// A folder for as long as a command needs it.
#pragma once

#include <filesystem>

namespace nw {

/// Made in the system's folder for such things and removed, with all it holds, by the destructor.
class TemporaryFolder {
 public:
  /// Throws IoError when it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace nw
