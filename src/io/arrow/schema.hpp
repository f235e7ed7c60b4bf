// Private: the columns of an Arrow file and how their values lie (Arrow format, Schema.fbs; names
// and numbers as there).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/arrow/flatbuffer.hpp"

namespace nw::io::arrow {

/// How the values of a column are stored.
enum class Storage {
  integer,      ///< `bits` wide, signed or not
  floating,     ///< 16, 32 or 64 bits
  boolean,      ///< bits
  decimal,      ///< little-endian, 32 to 256 bits
  text,         ///< 32-bit offsets, then bytes
  large_text,   ///< 64-bit offsets, then bytes
  text_view,    ///< 16 bytes each, then any number of buffers
  fixed_bytes,  ///< `bits` / 8 bytes each
  none,         ///< missing values alone
  nested,       ///< passed over
};

/// What numbers mean.
enum class Meaning { number, time, duration };

struct Field {
  std::string name;
  Storage storage = Storage::nested;
  Meaning meaning = Meaning::number;
  unsigned bits = 0;
  bool is_signed = true;
  int scale = 0;                       ///< of decimals
  double factor = 1.0, divisor = 1.0;  ///< that make seconds of times
  unsigned buffers = 0;                ///< of the column itself, without children
  std::vector<Field> children;
  /// Values are indices into `dictionary`, whose values have the type above.
  bool coded = false;
  std::int64_t dictionary = 0;
  unsigned index_bits = 32;
  bool index_signed = true;

  [[nodiscard]] bool flat() const noexcept { return storage != Storage::nested; }
};

/// Throws IoError naming `file` for what is damaged or of a byte order nw does not read.
[[nodiscard]] std::vector<Field> read_schema(const FlatTable& schema, const std::string& file);

}  // namespace nw::io::arrow
