// Private: one column of a Parquet file, page by page.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

#include "io/byte_source.hpp"
#include "io/level_codes.hpp"
#include "io/parquet/encodings.hpp"
#include "io/parquet/metadata.hpp"
#include "io/parquet/numbers.hpp"

namespace nw::io::parquet {

class ColumnReader {
 public:
  /// `source`, `leaf` and `options` must outlive the reader. `rows` are those of all row groups.
  ColumnReader(const ByteSource& source, const Leaf& leaf, const LoadOptions& options,
               std::size_t rows);

  /// Reads the next row group's part of the column.
  void add(const Chunk& chunk, std::int64_t rows);
  [[nodiscard]] RawColumn finish();

 private:
  [[nodiscard]] bool text() const noexcept {
    return leaf_.meaning == Meaning::text || leaf_.meaning == Meaning::uuid;
  }
  [[nodiscard]] std::string_view unpacked(std::string_view packed, std::size_t size, Codec codec);
  void read_dictionary(const PageHeader& header, std::string_view body);
  void read_data(const PageHeader& header, std::string_view body, Codec codec);
  /// `levels` is null where no value can be missing.
  void read_values(const PageHeader& header, std::string_view values, HybridReader* levels);
  void append_numbers(NumberSource& source, std::size_t count, HybridReader* levels);
  /// `fill(codes, n)` gives the codes of the next n values.
  template <typename Fill>
  void append_codes(Fill&& fill, std::size_t count, HybridReader* levels);
  [[nodiscard]] std::uint32_t code_of(std::string_view text);
  [[nodiscard]] std::uint32_t code_of_index(std::uint32_t index);

  const ByteSource& source_;
  const Leaf& leaf_;
  const LoadOptions& options_;
  std::string file_;  ///< with the column, for messages
  RawColumn column_;
  LevelCodes texts_;
  std::uint64_t budget_;  ///< bytes that pages may still unpack to
  std::string page_, dictionary_page_, uuid_;
  std::vector<double> dictionary_numbers_;
  std::vector<std::string_view> dictionary_texts_;
  std::vector<std::uint32_t> dictionary_codes_;
  std::vector<std::uint32_t> levels_, codes_;  ///< of one block
  std::vector<double> present_;
};

}  // namespace nw::io::parquet
