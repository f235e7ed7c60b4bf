// Private: the rows of one side of a comparison, all of them or as many as memory is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nw/io/raw_table.hpp"

namespace nw::table {

/// Takes the table of one file block by block and keeps a uniform sample of the rows: each row
/// draws a number from its file and its place there, and those with the smallest numbers stay. What
/// is kept depends on the input alone, not on the size of blocks. Samples of several files, taken
/// apart and put together, are the sample of all their rows.
class RowSample {
 public:
  /// At most so many cells are kept; 0: all. `file` counts the files of the side from 0.
  explicit RowSample(std::size_t most_cells, std::size_t file = 0)
      : most_cells_(most_cells), file_(file) {}

  /// The next rows of the file.
  void add(io::RawTable block);
  /// The rows of a later file. Throws IoError when its columns are others.
  void merge(RowSample later);

  /// How many cells the next block may have.
  [[nodiscard]] std::size_t next_cells() const;
  [[nodiscard]] std::size_t rows_read() const noexcept { return rows_read_; }
  [[nodiscard]] bool sampled() const noexcept { return table_.rows < rows_read_; }

  /// The rows kept, in the order of the input.
  [[nodiscard]] io::RawTable take();
  /// Columns that count the rows of their file.
  [[nodiscard]] const std::vector<bool>& counters() const noexcept { return counters_; }

  /// For other processes.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  [[nodiscard]] static RowSample from_bytes(std::span<const std::byte> bytes,
                                            std::size_t most_cells);

 private:
  [[nodiscard]] std::size_t most_rows() const;
  void append(io::RawTable more, bool same_file);
  void thin();
  void thin_if_many();

  std::size_t most_cells_, file_;
  io::RawTable table_;
  std::vector<std::uint64_t> draw_;  ///< of the rows kept, where not all may be
  std::vector<bool> counters_;
  std::size_t rows_read_ = 0;
};

}  // namespace nw::table
