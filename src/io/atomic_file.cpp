#include "nw/io/atomic_file.hpp"

#include <atomic>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/failure.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr const char* kTemporarySuffix = ".nw-tmp";

/// An open file that disappears again unless it is kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : shown_name_(target.string()) {
    static std::atomic<unsigned> serial{0};
    do {  // a killed process of the same number may have left a file of the same name
      path_ = target.parent_path() / concat(".", target.filename().string(), ".", getpid(), "-",
                                            serial.fetch_add(1), kTemporarySuffix);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ >= 0) return;
    if (errno == ENOENT) {
      fail(shown_name_, "its folder does not exist; create ", target.parent_path().string());
    }
    fail(shown_name_, "cannot be written: ", system_reason(errno), " (temporary file ",
         path_.string(), ")");
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!kept_) unlink(path_.c_str());
  }

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  void keep_as(const std::filesystem::path& target) {
    if (fsync(descriptor_) != 0) fail(shown_name_, "cannot be synced: ", system_reason(errno));
    if (close(std::exchange(descriptor_, -1)) != 0) {
      fail(shown_name_, "cannot be closed: ", system_reason(errno));
    }
    if (rename(path_.c_str(), target.c_str()) != 0) {
      fail(shown_name_, "cannot be put in place: ", system_reason(errno));
    }
    kept_ = true;
  }

 private:
  std::string shown_name_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

void write_in_place(const std::filesystem::path& path, const std::function<void(FileSink&)>& fill) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path.string(), "cannot be written: ", system_reason(errno));
  struct Closer {
    int descriptor;
    ~Closer() { close(descriptor); }
  } const closer{descriptor};
  FileSink sink(descriptor, path.string());
  fill(sink);
  sink.flush();
}

}  // namespace

FileSink::FileSink(int descriptor, std::string shown_name)
    : descriptor_(descriptor), shown_name_(std::move(shown_name)) {}

void FileSink::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void FileSink::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(shown_name_, "writing failed: ", system_reason(errno));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(FileSink&)>& fill) {
  if (path.filename().empty()) fail(path.string(), "is not the name of a file");
  struct stat old {};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path.string(), "is a folder; give the name of a file");
  if (exists && !S_ISREG(old.st_mode)) {
    write_in_place(path, fill);
    return;
  }
  // A link stays a link: the file it points to is replaced.
  std::error_code no_link;
  std::filesystem::path target = std::filesystem::canonical(path, no_link);
  if (no_link) target = std::filesystem::absolute(path);

  TemporaryFile temporary(target);
  // Best effort: only the owner may change the mode, and the content does not depend on it.
  if (exists) static_cast<void>(fchmod(temporary.descriptor(), old.st_mode & 07777));
  FileSink sink(temporary.descriptor(), path.string());
  fill(sink);
  sink.flush();
  temporary.keep_as(target);
  sync_folder(target.parent_path());
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

void remove_unfinished_files(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') && name.ends_with(kTemporarySuffix)) {
      std::filesystem::remove(entry.path(), error);
    }
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  write_file_atomically(path, [&](FileSink& sink) { sink.write(bytes); });
}

}  // namespace nw::io
