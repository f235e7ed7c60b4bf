// Private: how Parquet writes integers and texts one after the other (parquet-format,
// Encodings.md). Everything throws IoError "<file>: ..." where the bytes end too early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/parquet/metadata.hpp"

namespace nw::io::parquet {

/// A little-endian value at `from`, which need not be aligned.
template <typename Value>
[[nodiscard]] Value load(const char* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

[[noreturn]] void refuse_page(const std::string& file, std::string_view what);

/// Runs of equal values and bit-packed groups of eight, by turns: levels, dictionary indices and
/// booleans.
class HybridReader {
 public:
  /// `width` bits a value, at most 32.
  HybridReader(std::string_view bytes, unsigned width, const std::string& file);
  void read(std::uint32_t* out, std::size_t count);

 private:
  void next_run();
  void unpack(std::uint32_t* out, std::size_t count);

  std::string_view bytes_;
  unsigned width_;
  const std::string& file_;
  std::size_t run_ = 0;  ///< values left in it
  bool packed_ = false;
  std::uint32_t value_ = 0;      ///< of a run of equal values
  std::string_view packed_run_;  ///< the bytes of bit-packed groups
  std::size_t bit_ = 0;          ///< place in them
};

/// DELTA_BINARY_PACKED. Takes the bytes it reads off `bytes`. Throws IoError when there are more
/// than `most` values.
[[nodiscard]] std::vector<std::int64_t> read_deltas(std::string_view& bytes, std::size_t most,
                                                    const std::string& file);

/// Texts, one after the other.
class TextSource {
 public:
  virtual ~TextSource() = default;
  TextSource() = default;
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// Valid until the next call.
  [[nodiscard]] virtual std::string_view next() = 0;
};

/// What a page of texts needs to be read: `fixed` is their width where all have one, else 0.
struct TextPage {
  std::string_view bytes;
  Encoding encoding = Encoding::plain;
  std::size_t fixed = 0, count = 0;
  std::uint64_t most_bytes = 0;  ///< of all texts together: prefixes can be shared a million times
};
[[nodiscard]] std::unique_ptr<TextSource> open_texts(const TextPage& page, const std::string& file);

}  // namespace nw::io::parquet
