// Private: one column of an Arrow file, batch by batch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

#include "io/arrow/messages.hpp"
#include "io/level_codes.hpp"

namespace nw::io::arrow {

/// Where the buffers of a column begin in the lists of a batch.
struct ColumnPlace {
  std::size_t node = 0, buffer = 0, view = 0;
};

class ColumnReader {
 public:
  /// Everything must outlive the reader.
  ColumnReader(const ByteSource& source, const Field& field, const LoadOptions& options);

  /// Adds the rows of `batch`. `dictionary` holds the values of a coded column, and is null for
  /// others.
  void add(const Batch& batch, const ColumnPlace& place, const RawColumn* dictionary);
  [[nodiscard]] RawColumn finish();

 private:
  /// The bytes of buffer `index`, unpacked, kept in `kept`.
  [[nodiscard]] std::string_view fetch(const Batch& batch, std::size_t index, std::string& kept);
  /// As fetch, of at least `needed` bytes.
  [[nodiscard]] std::string_view fetch_at_least(const Batch& batch, std::size_t index,
                                                std::uint64_t needed, std::string& kept);
  void add_numbers(std::string_view values, std::size_t rows);
  void add_indices(std::string_view values, std::size_t rows, const RawColumn& dictionary);
  template <typename Offset>
  void add_texts(const Batch& batch, const ColumnPlace& place, std::size_t rows);
  void add_views(const Batch& batch, const ColumnPlace& place, std::size_t rows);
  void add_missing(std::size_t rows);
  [[nodiscard]] bool present(std::size_t row) const {
    return validity_.empty() ||
           (static_cast<unsigned char>(validity_[row / 8]) >> (row % 8) & 1) != 0;
  }

  const ByteSource& source_;
  const Field& field_;
  const LoadOptions& options_;
  std::string file_;  ///< with the column, for messages
  std::uint64_t budget_;
  RawColumn column_;
  LevelCodes texts_;
  std::string_view validity_;
  std::string kept_validity_, kept_values_, kept_bytes_;
  std::vector<std::uint32_t> dictionary_codes_;
};

}  // namespace nw::io::arrow
