// Reads ZIP directories and entries (PKWARE APPNOTE 4.3 and 4.5.3, names as there). Not by libzip:
// entries must flow from a byte source of ours, pipes and memory included, and stop at the
// announced size with file and entry in the message; as callbacks of libzip that is longer than
// this file.
#include <algorithm>
#include <array>
#include <utility>

#include <zlib.h>

#include "io/failure.hpp"
#include "io/zip.hpp"

namespace nw::io {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50,
                        kEndOfDirectory = 0x06054b50, kEndOfDirectory64 = 0x06064b50,
                        kLocator64 = 0x07064b50;
constexpr std::size_t kLocalHeaderBytes = 30, kCentralHeaderBytes = 46, kEndBytes = 22,
                      kEnd64Bytes = 56, kLocator64Bytes = 20, kLongestComment = 65535;
constexpr std::uint32_t kIn64 = 0xffffffff;  // the real value stands in the zip64 field

std::uint64_t number_at(std::string_view bytes, std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  }
  return value;
}
std::uint16_t u16(std::string_view bytes, std::size_t offset) {
  return static_cast<std::uint16_t>(number_at(bytes, offset, 2));
}
std::uint32_t u32(std::string_view bytes, std::size_t offset) {
  return static_cast<std::uint32_t>(number_at(bytes, offset, 4));
}
std::uint64_t u64(std::string_view bytes, std::size_t offset) {
  return number_at(bytes, offset, 8);
}

std::string bytes_at(const ByteSource& source, std::uint64_t offset, std::uint64_t count,
                     const char* what) {
  const bool inside = offset <= source.size() && count <= source.size() - offset;
  std::string bytes;
  if (inside) {
    bytes.resize(static_cast<std::size_t>(count));
    if (source.read_at(offset, bytes.data(), bytes.size()) == bytes.size()) return bytes;
  }
  fail(source.name(), "truncated or broken ZIP: ", what, " at byte ", offset, " takes ", count,
       " bytes, the file has ", source.size());
}

struct Directory {
  std::uint64_t offset = 0, size = 0;
};

Directory find_directory(const ByteSource& source) {
  const std::uint64_t tail_bytes =
      std::min<std::uint64_t>(source.size(), kEndBytes + kLongestComment);
  const std::uint64_t tail_offset = source.size() - tail_bytes;
  const std::string tail = bytes_at(source, tail_offset, tail_bytes, "its end");
  for (std::size_t at = tail.size(); at-- > 0;) {
    if (at + kEndBytes > tail.size() || u32(tail, at) != kEndOfDirectory) continue;
    Directory directory{.offset = u32(tail, at + 16), .size = u32(tail, at + 12)};
    if (at >= kLocator64Bytes && u32(tail, at - kLocator64Bytes) == kLocator64) {
      const std::uint64_t end64 = u64(tail, at - kLocator64Bytes + 8);
      const std::string record = bytes_at(source, end64, kEnd64Bytes, "the zip64 end record");
      if (u32(record, 0) != kEndOfDirectory64) {
        fail(source.name(), "broken ZIP: no zip64 end record at byte ", end64);
      }
      directory = {.offset = u64(record, 48), .size = u64(record, 40)};
    }
    return directory;
  }
  fail(source.name(), "has no ZIP directory; the file is truncated, fetch or write it again");
}

/// Replaces the sizes that did not fit 32 bits by those of the zip64 extra field.
void read_zip64_field(std::string_view extra, ZipEntry& entry, const std::string& file) {
  while (extra.size() >= 4) {
    const std::uint16_t id = u16(extra, 0), size = u16(extra, 2);
    std::string_view field = extra.substr(4, size);
    if (id == 1) {
      for (std::uint64_t* value : {&entry.size, &entry.packed_size, &entry.header_offset}) {
        if (*value != kIn64) continue;
        if (field.size() < 8) fail(file, "broken ZIP: short zip64 field of ", shown(entry.name));
        *value = u64(field, 0);
        field.remove_prefix(8);
      }
      return;
    }
    extra.remove_prefix(std::min<std::size_t>(extra.size(), 4u + size));
  }
}

/// Checks size and CRC of what an entry unpacks to.
class EntryStream final : public ByteStream {
 public:
  EntryStream(std::unique_ptr<ByteStream> content, const ZipEntry& entry)
      : ByteStream(content->name()), content_(std::move(content)), entry_(entry) {}

  std::size_t read(char* to, std::size_t count) override {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(count, entry_.size - position_));
    const std::size_t got = content_->read(to, wanted);
    crc_ = static_cast<std::uint32_t>(crc32_z(crc_, reinterpret_cast<const Bytef*>(to), got));
    position_ += got;
    if (got < wanted) {
      fail(name(), "truncated: unpacks to ", position_, " bytes instead of ", entry_.size);
    }
    if (position_ == entry_.size && wanted > 0) check_end();
    return got;
  }
  [[nodiscard]] std::uint64_t remaining_at_most() const override {
    return std::min(entry_.size - position_, content_->remaining_at_most());
  }
  [[nodiscard]] bool packed() const noexcept override { return content_->packed(); }

 private:
  void check_end() {
    char extra = 0;
    if (content_->read(&extra, 1) != 0) {
      fail(name(), "unpacks to more than the ", entry_.size, " bytes it claims");
    }
    if (crc_ != entry_.crc) fail(name(), "damaged: the CRC of its content is wrong");
  }

  std::unique_ptr<ByteStream> content_;
  ZipEntry entry_;
  std::uint32_t crc_ = 0;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(const ByteSource& source) {
  const std::string& file = source.name();
  const Directory place = find_directory(source);
  const std::string bytes = bytes_at(source, place.offset, place.size, "its directory");
  std::vector<ZipEntry> entries;
  std::string_view left = bytes;
  while (left.size() >= kCentralHeaderBytes && u32(left, 0) == kCentralHeader) {
    ZipEntry entry{.name = {},
                   .flags = u16(left, 8),
                   .method = u16(left, 10),
                   .crc = u32(left, 16),
                   .packed_size = u32(left, 20),
                   .size = u32(left, 24),
                   .header_offset = u32(left, 42)};
    const std::size_t name_bytes = u16(left, 28), extra_bytes = u16(left, 30);
    const std::size_t comment_bytes = u16(left, 32);
    left.remove_prefix(kCentralHeaderBytes);
    if (left.size() < name_bytes + extra_bytes + comment_bytes) {
      fail(file, "broken ZIP: an entry of its directory is cut off");
    }
    entry.name = std::string(left.substr(0, name_bytes));
    read_zip64_field(left.substr(name_bytes, extra_bytes), entry, file);
    left.remove_prefix(name_bytes + extra_bytes + comment_bytes);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::unique_ptr<ByteStream> open_zip_entry(const ByteSource& source, const ZipEntry& entry,
                                           std::string name) {
  constexpr std::uint16_t kStored = 0, kDeflated = 8, kEncrypted = 1;
  if ((entry.flags & kEncrypted) != 0) fail(name, "is encrypted; save it without a password");
  if (entry.method != kStored && entry.method != kDeflated) {
    fail(name, "is packed by ZIP method ", entry.method,
         "; nw unpacks stored and deflated entries");
  }
  const std::string header =
      bytes_at(source, entry.header_offset, kLocalHeaderBytes, "the header of an entry");
  if (u32(header, 0) != kLocalHeader) {
    fail(source.name(), "broken ZIP: no entry at byte ", entry.header_offset);
  }
  const std::uint64_t begin =
      entry.header_offset + kLocalHeaderBytes + u16(header, 26) + u16(header, 28);
  if (begin > source.size() || entry.packed_size > source.size() - begin) {
    fail(name, "truncated: its ", entry.packed_size, " bytes begin at byte ", begin,
         ", the file has ", source.size());
  }
  auto stream = slice(source, begin, begin + entry.packed_size, std::move(name));
  if (entry.method == kDeflated) stream = inflate(std::move(stream), Compression::raw_deflate);
  return std::make_unique<EntryStream>(std::move(stream), entry);
}

}  // namespace nw::io
