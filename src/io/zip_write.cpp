// Writes ZIP files (PKWARE APPNOTE 4.3 and 4.5.3).
#include <algorithm>

#include <zlib.h>

#include "io/failure.hpp"
#include "io/zip.hpp"

namespace nw::io {
namespace {

constexpr std::uint16_t kVersion64 = 45, kDeflated = 8;
constexpr std::uint16_t kFirstOfJanuary1980 = 33;  // the content alone decides the bytes of a file
constexpr std::uint32_t kIn64 = 0xffffffff;

/// Little-endian numbers one after the other.
class Record {
 public:
  template <typename... Values>
  Record& u16(Values... values) {
    (number(static_cast<std::uint64_t>(values), 2), ...);
    return *this;
  }
  template <typename... Values>
  Record& u32(Values... values) {
    (number(static_cast<std::uint64_t>(values), 4), ...);
    return *this;
  }
  template <typename... Values>
  Record& u64(Values... values) {
    (number(static_cast<std::uint64_t>(values), 8), ...);
    return *this;
  }
  Record& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void number(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 255);
  }
  std::string bytes_;
};

std::string deflated(const std::vector<std::string_view>& parts, const std::string& name) {
  z_stream state{};
  // Level 6 and raw deflate, as Python's zipfile.
  if (deflateInit2(&state, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    fail(name, "cannot start compression");
  }
  std::string packed, block(std::size_t{1} << 18, '\0');
  const auto run = [&](int flush) {
    int status = Z_OK;
    do {
      state.next_out = reinterpret_cast<Bytef*>(block.data());
      state.avail_out = static_cast<uInt>(block.size());
      status = deflate(&state, flush);
      packed.append(block, 0, block.size() - state.avail_out);
    } while (state.avail_out == 0);
    return status;
  };
  for (std::string_view part : parts) {
    while (!part.empty()) {
      const std::size_t step = std::min<std::size_t>(part.size(), std::size_t{1} << 30);
      // zlib does not change its input, it only forgot to say so.
      state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      state.avail_in = static_cast<uInt>(step);
      run(Z_NO_FLUSH);
      part.remove_prefix(step);
    }
  }
  run(Z_FINISH);
  deflateEnd(&state);
  return packed;
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const std::vector<std::string_view>& parts,
                    bool compressed) {
  ZipEntry entry{.name = name, .header_offset = written_};
  for (const std::string_view part : parts) {
    entry.size += part.size();
    entry.crc = static_cast<std::uint32_t>(
        crc32_z(entry.crc, reinterpret_cast<const Bytef*>(part.data()), part.size()));
  }
  std::string packed;
  if (compressed) packed = deflated(parts, name);
  entry.method = compressed ? kDeflated : 0;
  entry.packed_size = compressed ? packed.size() : entry.size;
  write(Record()
            .text("PK\x03\x04")
            .u16(kVersion64, 0, entry.method, 0, kFirstOfJanuary1980)
            .u32(entry.crc, kIn64, kIn64)
            .u16(name.size(), 20)
            .text(name)
            .u16(1, 16)  // zip64 field of 16 bytes
            .u64(entry.size, entry.packed_size)
            .bytes());
  if (compressed) {
    write(packed);
  } else {
    for (const std::string_view part : parts) write(part);
  }
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const std::uint64_t directory_offset = written_;
  for (const ZipEntry& entry : entries_) {
    write(Record()
              .text("PK\x01\x02")
              .u16(kVersion64, kVersion64, 0, entry.method, 0, kFirstOfJanuary1980)
              .u32(entry.crc, kIn64, kIn64)
              .u16(entry.name.size(), 28, 0, 0, 0)
              .u32(0, kIn64)
              .text(entry.name)
              .u16(1, 24)  // zip64 field of 24 bytes
              .u64(entry.size, entry.packed_size, entry.header_offset)
              .bytes());
  }
  const std::uint64_t directory_bytes = written_ - directory_offset, end64_offset = written_;
  const std::size_t count = entries_.size(), count16 = std::min<std::size_t>(count, 0xffff);
  write(Record()
            .text("PK\x06\x06")
            .u64(44)  // bytes of this record that follow
            .u16(kVersion64, kVersion64)
            .u32(0, 0)
            .u64(count, count, directory_bytes, directory_offset)
            .text("PK\x06\x07")
            .u32(0)
            .u64(end64_offset)
            .u32(1)
            .text("PK\x05\x06")
            .u16(0, 0, count16, count16)
            .u32(kIn64, kIn64)
            .u16(0)
            .bytes());
}

}  // namespace nw::io
