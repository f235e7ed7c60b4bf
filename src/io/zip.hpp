// Private: the container of NPZ files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/atomic_file.hpp"

#include "io/byte_source.hpp"
#include "io/byte_stream.hpp"

namespace nw::io {

struct ZipEntry {
  std::string name;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0, size = 0, header_offset = 0;
};

/// The entries of a ZIP file in the order of its directory, zip64 included. Throws IoError.
[[nodiscard]] std::vector<ZipEntry> read_zip_directory(const ByteSource& source);

/// The content of one entry, stored or deflated, checked against its size and CRC as it is read.
/// `name` is for messages. `source` must outlive the stream.
[[nodiscard]] std::unique_ptr<ByteStream> open_zip_entry(const ByteSource& source,
                                                         const ZipEntry& entry, std::string name);

/// Writes entries one after the other, then the directory. Always zip64, as numpy does, so there is
/// one way to test instead of two.
class ZipWriter {
 public:
  explicit ZipWriter(FileSink& sink) : sink_(sink) {}

  /// `parts` are the pieces of the content, one after the other.
  void add(const std::string& name, const std::vector<std::string_view>& parts, bool compressed);
  void finish();

 private:
  void write(std::string_view bytes);

  FileSink& sink_;
  std::uint64_t written_ = 0;
  std::vector<ZipEntry> entries_;
};

}  // namespace nw::io
