// Files that are written completely or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace nw::io {

/// Where the content of a file goes while it is being written. Throws IoError when the disk
/// refuses.
class FileSink {
 public:
  FileSink(int descriptor, std::string shown_name);
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view bytes);
  /// Hands everything written so far to the operating system.
  void flush();

 private:
  int descriptor_;
  std::string shown_name_;
  std::string buffer_;
};

/// Writes a file under a temporary name in the same folder, syncs it and renames it, so that a
/// reader finds the old content or the new, never a part. When `fill` or the disk fails, the
/// temporary file is removed, the old one stays and the exception is passed on. A path that names a
/// pipe or a device is written in place. Throws IoError.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(FileSink&)>& fill);
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Makes what was created, renamed or removed in `folder` survive a crash of the machine. Some file
/// systems cannot sync folders; the content of files is safe even then, so that is not an error.
void sync_folder(const std::filesystem::path& folder);

/// Removes what a killed process left of its unfinished files in `folder`. Only for a folder that
/// no other process is writing to.
void remove_unfinished_files(const std::filesystem::path& folder);

}  // namespace nw::io
