// Private: what a Parquet file says about itself (parquet-format, parquet.thrift; names as there).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nw::io::parquet {

enum class Physical {
  boolean = 0,
  int32 = 1,
  int64 = 2,
  int96 = 3,
  float32 = 4,
  float64 = 5,
  byte_array = 6,
  fixed = 7,  ///< fixed_len_byte_array
};

enum class Codec {
  none = 0,
  snappy = 1,
  gzip = 2,
  lzo = 3,
  brotli = 4,
  lz4 = 5,
  zstd = 6,
  lz4_raw = 7
};

enum class Encoding {
  plain = 0,
  plain_dictionary = 2,
  rle = 3,
  bit_packed = 4,
  delta_binary_packed = 5,
  delta_length_byte_array = 6,
  delta_byte_array = 7,
  rle_dictionary = 8,
  byte_stream_split = 9,
};

/// What the values of a column mean, of the logical and the older converted types.
enum class Meaning {
  number,           ///< floats, and integers with a sign
  unsigned_number,  ///< integers without
  boolean,
  half,       ///< binary16 in two bytes
  decimal,    ///< an integer divided by 10^scale
  date,       ///< days since 1970-01-01
  timestamp,  ///< integers in units of `unit` seconds since 1970-01-01
  duration,   ///< a time of day in units of `unit` seconds
  text,
  uuid,
  other,  ///< not read: intervals and what is yet to come
};

/// A leaf of the schema.
struct Leaf {
  std::string name;  ///< of nested groups: joined by dots
  Physical physical = Physical::int32;
  std::size_t width = 0;  ///< bytes of a fixed value
  Meaning meaning = Meaning::number;
  int scale = 0;
  double unit = 1.0;
  unsigned max_definition = 0;
  bool repeated = false;  ///< inside a list or map
};

struct Chunk {
  Codec codec = Codec::none;
  std::int64_t values = 0, begin = 0, bytes = 0;  ///< place of its pages in the file
  bool elsewhere = false, encrypted = false;
};

struct RowGroup {
  std::int64_t rows = 0;
  std::vector<Chunk> chunks;  ///< one per leaf
};

struct FileMetadata {
  std::int64_t rows = 0;
  std::vector<Leaf> leaves;
  std::vector<RowGroup> groups;
};

struct PageHeader {
  enum class Kind { data = 0, index = 1, dictionary = 2, data_v2 = 3 } kind = Kind::data;
  std::size_t packed_bytes = 0, bytes = 0;
  std::size_t values = 0;
  Encoding encoding = Encoding::plain, level_encoding = Encoding::rle;
  // Version 2: the levels stand before the packed part.
  std::size_t definition_bytes = 0, repetition_bytes = 0;
  bool packed = true;
};

/// `bytes` are those between the footer's length and its begin. Throws IoError naming `file`.
[[nodiscard]] FileMetadata read_metadata(std::string_view bytes, const std::string& file);

struct PlacedHeader {
  PageHeader header;
  std::size_t bytes = 0;  ///< that the header itself takes
};
[[nodiscard]] PlacedHeader read_page_header(std::string_view bytes, const std::string& file);

}  // namespace nw::io::parquet
