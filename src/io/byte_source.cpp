#include "io/byte_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/failure.hpp"
#include "io/formats/foreign_format.hpp"

namespace nw::io {
namespace {

/// Closes a descriptor when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  [[nodiscard]] int get() const noexcept { return value_; }

 private:
  int value_;
};

class FileSource final : public ByteSource {
 public:
  FileSource(Descriptor file, std::uint64_t size, std::string name)
      : ByteSource(std::move(name)), file_(std::move(file)), size_(size) {}

  std::size_t read_at(std::uint64_t offset, char* to, std::size_t count) const override {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t got =
          pread(file_.get(), to + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(name(), "reading at byte ", offset + done, ": ", system_reason(errno));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  Descriptor file_;
  std::uint64_t size_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::span<const std::byte> bytes, std::string name)
      : ByteSource(std::move(name)), bytes_(bytes) {}
  MemorySource(std::string owned, std::string name)
      : ByteSource(std::move(name)),
        owned_(std::move(owned)),
        bytes_(std::as_bytes(std::span(owned_))) {}

  std::size_t read_at(std::uint64_t offset, char* to, std::size_t count) const override {
    if (offset >= bytes_.size()) return 0;
    const auto from = static_cast<std::size_t>(offset);
    const std::size_t done = std::min(count, bytes_.size() - from);
    if (done != 0) std::memcpy(to, bytes_.data() + from, done);
    return done;
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string owned_;
  std::span<const std::byte> bytes_;
};

std::string read_pipe(const Descriptor& pipe, const std::string& name, std::uint64_t limit) {
  std::string content;
  for (;;) {
    constexpr std::size_t kBlock = 1 << 16;
    const std::size_t before = content.size();
    content.resize(before + kBlock);
    const ssize_t got = read(pipe.get(), content.data() + before, kBlock);
    if (got < 0 && errno != EINTR) fail(name, "reading the pipe: ", system_reason(errno));
    content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return content;
    if (content.size() > limit) {
      fail(name, "the pipe gave more than ", limit, " bytes; save it to a file first");
    }
  }
}

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path,
                                      std::uint64_t max_pipe_bytes) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path.string();
  Descriptor file(open(standard_input ? "/dev/stdin" : path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    const int error = errno;
    if (is_web_address(name)) fail(name, "is an address on the web; download the file first");
    if (error == ENOENT) fail(name, "no such file; check the path");
    if (error == EACCES) fail(name, "permission denied; make it readable (chmod +r)");
    fail(name, "cannot be opened: ", system_reason(error));
  }
  struct stat info {};
  if (fstat(file.get(), &info) != 0) fail(name, "cannot be examined: ", system_reason(errno));
  if (S_ISREG(info.st_mode)) {
    const auto size = static_cast<std::uint64_t>(info.st_size);
    return std::make_unique<FileSource>(std::move(file), size, name);
  }
  if (S_ISFIFO(info.st_mode)) {
    return std::make_unique<MemorySource>(read_pipe(file, name, max_pipe_bytes), name);
  }
  if (S_ISDIR(info.st_mode)) fail(name, "is a folder where a file is expected");
  fail(name, "is a device or socket, not a file; save its content to a file first");
}

std::unique_ptr<ByteSource> view_memory(std::span<const std::byte> bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

std::string read_all(const ByteSource& source) {
  std::string content(static_cast<std::size_t>(source.size()), '\0');
  const std::size_t got = source.read_at(0, content.data(), content.size());
  if (got != content.size()) {
    fail(source.name(), "shrank from ", content.size(), " to ", got, " bytes while being read");
  }
  return content;
}

}  // namespace nw::io
