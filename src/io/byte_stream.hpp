// Private: bytes read once, from start to end, plain or through inflate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/byte_source.hpp"

namespace nw::io {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Copies up to `count` bytes; fewer only at the end.
  virtual std::size_t read(char* to, std::size_t count) = 0;
  /// No more bytes than this can still come: what a header claims is checked against it before
  /// anything is allocated.
  [[nodiscard]] virtual std::uint64_t remaining_at_most() const = 0;
  /// Whether the bytes come out of compressed data, so that nothing announces their number.
  [[nodiscard]] virtual bool packed() const noexcept { return false; }
  /// Bytes read so far.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Copies exactly `count` bytes; `what` names them in the IoError of a truncated input.
  void read_exactly(char* to, std::size_t count, const char* what);
  /// Throws IoError unless everything has been read.
  void expect_end();

 protected:
  explicit ByteStream(std::string name) : name_(std::move(name)) {}
  std::uint64_t position_ = 0;

 private:
  std::string name_;
};

enum class Compression { gzip, raw_deflate };

/// Bytes [begin, end) of `source`, which must outlive the stream. `name` is for messages.
[[nodiscard]] std::unique_ptr<ByteStream> slice(const ByteSource& source, std::uint64_t begin,
                                                std::uint64_t end, std::string name);
[[nodiscard]] std::unique_ptr<ByteStream> whole(const ByteSource& source);

/// What `packed` unpacks to. Throws IoError on corrupt or truncated data and on bytes that follow
/// the end of the last gzip member.
[[nodiscard]] std::unique_ptr<ByteStream> inflate(std::unique_ptr<ByteStream> packed,
                                                  Compression compression);

}  // namespace nw::io
