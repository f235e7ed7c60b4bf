// Private: the rows of one side of a comparison, all of them or as many as memory is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/io/raw_table.hpp"

namespace nw::table {

/// Takes tables block by block and keeps a uniform sample of the rows: each row draws a number from
/// its place in the input, and those with the smallest numbers stay. What is kept depends on the
/// input alone, not on the size of blocks.
class RowSample {
 public:
  /// At most so many cells are kept; 0: all.
  explicit RowSample(std::size_t most_cells) : most_cells_(most_cells) {}

  /// The next rows of the side; `file` counts its files from 0. Throws IoError when the columns are
  /// others than before.
  void add(io::RawTable block, std::size_t file);

  /// How many cells the next block may have.
  [[nodiscard]] std::size_t next_cells() const;
  [[nodiscard]] std::size_t rows_read() const noexcept { return rows_read_; }
  [[nodiscard]] bool sampled() const noexcept { return table_.rows < rows_read_; }

  /// The rows kept, in the order of the input.
  [[nodiscard]] io::RawTable take();
  /// Columns that count the rows of their file.
  [[nodiscard]] const std::vector<bool>& counters() const noexcept { return counters_; }

 private:
  [[nodiscard]] std::size_t most_rows() const;
  void thin();

  std::size_t most_cells_;
  io::RawTable table_;
  std::vector<std::uint64_t> draw_;  ///< of the rows kept; empty while all are
  std::vector<bool> counters_;
  std::size_t rows_read_ = 0, files_ = 0;
};

}  // namespace nw::table
