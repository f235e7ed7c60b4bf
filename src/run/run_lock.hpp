// Private: one process at a time in a run directory.
#pragma once

#include <filesystem>

namespace nw::run {

/// Holds the file `lock` of a folder. The system lets go of it when the process ends, however that
/// happens, so that a killed run never blocks the next one.
class RunLock {
 public:
  /// Throws IoError naming the process that holds it.
  explicit RunLock(const std::filesystem::path& folder);
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  int descriptor_ = -1;
};

}  // namespace nw::run
