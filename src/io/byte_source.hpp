// Private: bytes that can be read at any place, from a file or from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace nw::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Copies up to `count` bytes from `offset`; returns how many there were.
  virtual std::size_t read_at(std::uint64_t offset, char* to, std::size_t count) const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// How messages call this source.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Opens a regular file without reading it, or reads a pipe up to `max_pipe_bytes`; "-" is standard
/// input. Throws IoError for anything missing, unreadable, or neither file nor pipe.
[[nodiscard]] std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path,
                                                    std::uint64_t max_pipe_bytes);

/// Bytes that someone else owns.
[[nodiscard]] std::unique_ptr<ByteSource> view_memory(std::span<const std::byte> bytes,
                                                      std::string name);

/// The whole source. Throws IoError if it shrank meanwhile.
[[nodiscard]] std::string read_all(const ByteSource& source);

}  // namespace nw::io
