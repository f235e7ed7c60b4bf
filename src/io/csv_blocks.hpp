// Private: a table of text in blocks of whole records. Nothing but one block is ever in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/csv_records.hpp"

namespace nw::io {

class RecordBlocks {
 public:
  /// Both outlive the reader. Packed streams are cut off at options.max_unpacked_bytes.
  RecordBlocks(ByteStream& stream, const LoadOptions& options);

  /// The start of the text behind its preamble: at least two records, or all there is. Called once,
  /// before next(). Throws IoError for an empty input and for bytes that are not text.
  [[nodiscard]] std::string_view start();
  /// What stands before start().
  [[nodiscard]] const Preamble& before() const noexcept { return before_; }
  /// Passes over the header at the beginning of start().
  void skip(const Extent& header);

  /// The next whole records, valid until the next call; nothing at the end.
  [[nodiscard]] std::optional<std::string_view> next();

  /// The share of the input that was handed out so far, for foreseeing the number of rows; nothing
  /// for packed streams, whose size nothing announces.
  [[nodiscard]] std::optional<double> share_read() const;

  std::size_t lines_before = 0;  ///< lines of the input before the records to come

 private:
  [[nodiscard]] std::string_view pending() const;
  void fill();
  void grow();
  void keep_from(std::size_t begin);

  ByteStream& stream_;
  const LoadOptions& options_;
  std::uint64_t file_bytes_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0, consumed_ = 0;
  bool ended_ = false;
  Preamble before_;
};

/// Records in pieces for several threads: parse(i) is called for each, in any order, then join(i)
/// in order. A newline between quotes must not end a piece, and telling those apart takes a pass
/// from the start, so text with quotes stays in one piece.
[[nodiscard]] std::vector<std::string_view> pieces_of(std::string_view records);

}  // namespace nw::io
