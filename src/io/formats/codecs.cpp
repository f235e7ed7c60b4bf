// Snappy: google/snappy, format_description.txt. gzip through zlib.
#include "io/formats/codecs.hpp"

#include <cstdint>
#include <cstring>

#include <zlib.h>

#include "io/failure.hpp"

namespace nw::io {
namespace {

/// Reads the elements of a Snappy block: literals, and copies of what was written before.
class Snappy {
 public:
  Snappy(std::string_view packed, std::span<char> out) : packed_(packed), out_(out) {}

  bool unpack() {
    std::uint64_t size = 0;
    if (!read_size(size) || size != out_.size()) return false;
    while (at_ < packed_.size()) {
      const unsigned tag = byte(at_++);
      if (!((tag & 3) == 0 ? literal(tag >> 2) : copy(tag))) return false;
    }
    return written_ == out_.size();
  }

 private:
  [[nodiscard]] unsigned byte(std::size_t at) const {
    return static_cast<unsigned char>(packed_[at]);
  }
  [[nodiscard]] std::size_t left() const { return packed_.size() - at_; }

  bool read_size(std::uint64_t& size) {
    for (unsigned shift = 0; shift < 35 && at_ < packed_.size(); shift += 7) {
      const unsigned part = byte(at_++);
      size |= static_cast<std::uint64_t>(part & 0x7f) << shift;
      if (part < 0x80) return true;
    }
    return false;
  }

  /// Little-endian number of `count` bytes.
  bool number(std::size_t count, std::size_t& value) {
    if (left() < count) return false;
    value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::size_t{byte(at_ + i)} << (8 * i);
    at_ += count;
    return true;
  }

  bool literal(std::size_t length) {
    if (length >= 60 && !number(length - 59, length)) return false;
    ++length;
    if (left() < length || out_.size() - written_ < length) return false;
    std::memcpy(out_.data() + written_, packed_.data() + at_, length);
    at_ += length;
    written_ += length;
    return true;
  }

  bool copy(unsigned tag) {
    std::size_t length = 1 + (tag >> 2), offset = 0;
    if ((tag & 3) == 1) {
      length = 4 + ((tag >> 2) & 7);
      if (!number(1, offset)) return false;
      offset |= std::size_t{tag >> 5} << 8;
    } else if (!number((tag & 3) == 2 ? 2 : 4, offset)) {
      return false;
    }
    if (offset == 0 || offset > written_ || out_.size() - written_ < length) return false;
    char* const to = out_.data() + written_;
    const char* const from = to - offset;
    if (offset >= length) {
      std::memcpy(to, from, length);
    } else {
      for (std::size_t i = 0; i < length; ++i) to[i] = from[i];  // a repeated pattern
    }
    written_ += length;
    return true;
  }

  std::string_view packed_;
  std::span<char> out_;
  std::size_t at_ = 0, written_ = 0;
};

}  // namespace

void refuse_block(const std::string& file, std::string_view codec) {
  fail(file, "damaged ", codec, " data; fetch or write the file again");
}

void unpack_snappy(std::string_view packed, std::span<char> out, const std::string& file) {
  if (!Snappy(packed, out).unpack()) refuse_block(file, "snappy");
}

void unpack_gzip(std::string_view packed, std::span<char> out, const std::string& file) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  if (packed.size() > kMost || out.size() > kMost) refuse_block(file, "gzip");
  z_stream state{};
  // 32 + 15: a gzip or zlib wrapper, whichever is there.
  if (inflateInit2(&state, 47) != Z_OK) fail(file, "cannot start decompression");
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  state.avail_in = static_cast<uInt>(packed.size());
  // zlib wants a place to write to even where there is nothing to write.
  char nothing = 0;
  state.next_out = reinterpret_cast<Bytef*>(out.empty() ? &nothing : out.data());
  state.avail_out = static_cast<uInt>(out.size());
  const int status = ::inflate(&state, Z_FINISH);
  const bool whole = status == Z_STREAM_END && state.avail_out == 0;
  inflateEnd(&state);
  if (!whole) refuse_block(file, "gzip");
}

}  // namespace nw::io
